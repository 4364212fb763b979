import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { choices } from "#content/languages.yaml";
import { RIGHT_TO_LEFT } from "@/lib/whatsapp";
import { LanguageChats } from "./LanguageChats";

it("names each language in its own words, and begins the chat in it", () => {
  render(<LanguageChats source="footer-landing" />);
  const links = screen.getAllByRole<HTMLAnchorElement>("link");
  expect(links.map(({ lang, textContent }) => [lang, textContent])).toEqual([
    ["de", "Deutsch"],
    ["fr", "Français"],
    ["ar", "العربية"],
    ["tr", "Türkçe"],
    ["it", "Italiano"],
    ["es", "Español"],
    ["ru", "Русский"],
  ]);
  const openings = links.map(({ href }) => new URL(href).searchParams.get("text") ?? "");
  expect(openings.map((opening) => opening.replace(RIGHT_TO_LEFT, ""))).toEqual(
    choices.map(({ opening }) => opening),
  );
});

it("writes Arabic from right to left, on the page and in the chat", () => {
  render(<LanguageChats source="footer-landing" />);
  const link = screen.getByRole<HTMLAnchorElement>("link", { name: "العربية" });
  expect(link.parentElement).toHaveAttribute("dir", "rtl");
  expect(new URL(link.href).searchParams.get("text")).toMatch(/^\u200fمرحبًا/);
  expect(screen.getByRole("link", { name: "Deutsch" }).parentElement).toHaveAttribute("dir", "ltr");
});
