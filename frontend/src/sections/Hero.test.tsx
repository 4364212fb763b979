import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { heroPicture, homeHero } from "@/content/home";
import { heroFile } from "@/images/hero";
import { Hero } from "./Hero";

it("shows the Hollywood smile at once, and says that it is an illustration", () => {
  render(
    <Hero
      words={homeHero(true)}
      source="hero-section-landing"
      picture={{ file: heroFile, ...heroPicture }}
    />,
  );
  const picture = screen.getByRole("img", {
    name: "Illustration: upper teeth restored as a Hollywood smile",
  });
  expect(picture).toHaveAttribute("loading", "eager");
  expect(picture).toHaveAttribute("fetchpriority", "high");
  expect(screen.getByText("Illustration: Hollywood smile").tagName).toBe("FIGCAPTION");
});
