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

  it("is not there without a source, and nothing else compares: a way to the prices stands there", () => {
    render(<WhyTurkey words={turkeyWords("landing", false)} source="why-choose-turkey" />);
    expect(screen.queryByRole("table")).toBeNull();
    const block = document.getElementById("price-comparison") as HTMLElement;
    expect(within(block).getByRole("link")).toHaveAttribute("href", "#premium-treatments");
    expect(document.body).not.toHaveTextContent(/[£€]/);
    expect(document.body).not.toHaveTextContent(/UK vs|same treatment|cost less|same brands|savings|You save/i);
  });

  it("scrolls inside a region that the keyboard reaches", () => {
    open("home", true);
    const region = screen.getByRole("region", { name: /UK vs Turkey prices/ });
    expect(region).toHaveAttribute("tabindex", "0");
    expect(region).toContainElement(screen.getByRole("table"));
  });
});
