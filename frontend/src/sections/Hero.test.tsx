import { picture as file } from "pictures:hero/hero";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { pictures } from "#content/heroes.yaml";
import { homeHero } from "@/content/heroes";
import { Hero } from "./Hero";

it("fetches its large picture at once, before others", () => {
  render(<Hero words={homeHero(true)} source="hero" picture={{ file, alt: pictures.large }} />);
  const large = screen.getByRole("img", { name: pictures.large });
  expect(large).toHaveAttribute("loading", "eager");
  expect(large).toHaveAttribute("fetchpriority", "high");
});
