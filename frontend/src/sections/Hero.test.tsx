import { picture as heroFile } from "pictures:hero/hero";
import { picture as smileFile } from "pictures:treatments/hollywood-smile";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { pictures as heroPictures } from "#content/heroes.yaml";
import { homeHero } from "@/content/heroes";
import { Hero } from "./Hero";

const PICTURES = { ...heroPictures, largeFile: heroFile, smallFile: smileFile };

function open() {
  render(<Hero words={homeHero(true)} source="hero-section-landing" pictures={PICTURES} />);
}

it("fetches its large picture at once, before others", () => {
  open();
  const picture = screen.getByRole("img", { name: heroPictures.large });
  expect(picture).toHaveAttribute("loading", "eager");
  expect(picture).toHaveAttribute("fetchpriority", "high");
});

it("shows the Hollywood smile on its corner", () => {
  open();
  const picture = screen.getByRole("img", { name: heroPictures.small });
  expect(picture.getAttribute("src")).toMatch(/hollywood-smile/);
  expect(screen.getByText("Hollywood smile").tagName).toBe("FIGCAPTION");
});
