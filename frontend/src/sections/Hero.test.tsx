import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { heroInset, homeHero } from "@/content/home";
import { Hero } from "./Hero";

it("shows the Hollywood smile beside the implant", () => {
  render(
    <Hero
      words={homeHero(true)}
      source="hero-section-landing"
      inset={{ picture: "/smile.svg", ...heroInset }}
    />,
  );
  const picture = screen.getByRole("img", {
    name: "Illustration: upper teeth restored as a Hollywood smile",
  });
  expect(picture.getAttribute("src")).toBe("/smile.svg");
  expect(screen.getByText("Hollywood smile").tagName).toBe("FIGCAPTION");
});
