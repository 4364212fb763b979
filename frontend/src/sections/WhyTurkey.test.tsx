import { render, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { turkeyWords } from "@/content/sections";
import { WhyTurkey } from "./WhyTurkey";

function open(list: string, samples: boolean) {
  render(<WhyTurkey words={turkeyWords(list, samples)} source="why-choose-turkey" />);
  const table = screen.getByRole("table");
  return within(table)
    .getAllByRole("row")
    .map((row) => [...row.children].map(({ textContent }) => textContent));
}

describe("the price comparison", () => {
  it("is a table with header cells, and every saving follows from its two prices", () => {
    const [head, ...rows] = open("home", true);
    expect(head).toEqual(["Treatment", "In the UK", "With us", "You save"]);
    expect(screen.getAllByRole("rowheader")).toHaveLength(rows.length);
    expect(rows.length).toBeGreaterThanOrEqual(6);
    for (const [, elsewhere = "", here = "", saved = ""] of rows.slice(0, 6)) {
      const [high, low] = [elsewhere, here].map((price) => Number(price.replace(/\D/g, "")));
      expect(saved).toBe(`${Math.floor((((high ?? 0) - (low ?? 0)) / (high ?? 1)) * 100)}%`);
    }
  });

  it("shows our prices of the page's own list", () => {
    const rows = open("landing", true);
    expect(rows.slice(0, 7).map(([, , here]) => here)).toEqual([
      "With us",
      "€199",
      "€180",
      "€2,250",
      "€2,999",
      "€4,999",
      "€4,799",
    ]);
  });

  it("without samples compares with our own earlier prices, and invents none", () => {
    const rows = open("landing", false);
    expect(screen.getByRole("heading", { name: "Our prices" })).toBeVisible();
    expect(rows[4]).toEqual(["All-on-4 per jaw", "–", "€2,999", "–"]);
    expect(screen.queryByText(/UK/)).toBeNull();
  });

  it("scrolls inside a region that the keyboard reaches", () => {
    open("home", true);
    const region = screen.getByRole("region", { name: /UK vs Turkey prices/ });
    expect(region).toHaveAttribute("tabindex", "0");
    expect(region).toContainElement(screen.getByRole("table"));
  });

  it("has its own anchor inside why-choose-turkey", () => {
    open("home", true);
    expect(document.querySelector("#why-choose-turkey #price-comparison table")).not.toBeNull();
  });

  it("opens the chat with the section's tag", () => {
    open("home", true);
    expect(screen.getByRole("link", { name: "Ask what your case would cost" })).toHaveAttribute(
      "data-chat-source",
      "why-choose-turkey",
    );
  });
});
