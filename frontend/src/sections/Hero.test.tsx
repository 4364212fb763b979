import { picture as largeFile } from "pictures:hero/hero";
import { picture as smallFile } from "pictures:treatments/hollywood-smile";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { pictures } from "#content/heroes.yaml";
import { homeHero } from "@/content/heroes";
import { Hero } from "./Hero";

it("fetches its large picture at once, before others, and shows the Hollywood smile on its corner", () => {
  render(<Hero words={homeHero(true)} source="hero" pictures={{ ...pictures, largeFile, smallFile }} />);
  const large = screen.getByRole("img", { name: pictures.large });
  expect(large).toHaveAttribute("loading", "eager");
  expect(large).toHaveAttribute("fetchpriority", "high");
  expect(screen.getByRole("img", { name: pictures.small }).getAttribute("src")).toMatch(/hollywood-smile/);
  expect(screen.getByText("Hollywood smile").tagName).toBe("FIGCAPTION");
});
