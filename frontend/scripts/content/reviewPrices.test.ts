import { describe, expect, it } from "vitest";
import { read } from "./folder.ts";
import { outdated, priceOrder, unsourced } from "./reviewPrices.ts";

const { treatments } = read("content", "treatments.yaml");
const { lists } = read("content", "prices.yaml");
const comparison = read("content", "comparison.yaml");

describe("the order of prices", () => {
  it("is contradicted where more costs less", () => {
    expect(priceOrder(treatments, lists)).toEqual([
      "prices.yaml, home: full-mouth-implants (2 jaws, 24 implants) costs £4,199, 2 × all-on-4 (1 jaw, 4 implants) £5,998",
      "prices.yaml, home: full-mouth-implants (2 jaws, 24 implants) costs £4,199, 2 × all-on-6 (1 jaw, 6 implants) £7,198",
      "prices.yaml, landing: full-mouth-implants (2 jaws, 24 implants) costs €4,799, 2 × all-on-4 (1 jaw, 4 implants) €5,998",
      "prices.yaml, landing: full-mouth-implants (2 jaws, 24 implants) costs €4,799, 2 × all-on-6 (1 jaw, 6 implants) €9,998",
    ]);
  });

  const priced = (prices: Record<string, number>) => ({
    ...lists,
    home: {
      ...lists.home,
      prices: Object.fromEntries(Object.entries(prices).map(([id, price]) => [id, { price }])),
    },
    landing: { ...lists.landing, prices: {} },
  });

  it("is right where more costs more, and where a list lacks a treatment", () => {
    expect(priceOrder(treatments, priced({ "all-on-4": 2000, "full-mouth-implants": 4000 }))).toEqual([]);
    expect(priceOrder(treatments, priced({ "all-on-4": 2000 }))).toEqual([]);
  });

  it("is contradicted by six implants that cost less than four", () => {
    expect(priceOrder(treatments, priced({ "all-on-4": 2999, "all-on-6": 2998 }))).toEqual([
      "prices.yaml, home: all-on-6 (1 jaw, 6 implants) costs £2,998, all-on-4 (1 jaw, 4 implants) £2,999",
    ]);
  });
});

describe("a comparison", () => {
  it("without a source is named, whatever it compares with", () => {
    expect(unsourced(lists, comparison)).toEqual([
      expect.stringMatching(/^prices.yaml, home: .*was_until/),
      expect.stringMatching(/^prices.yaml, landing: .*was_until/),
      expect.stringMatching(/^comparison.yaml: /),
    ]);
    const dated = {
      home: { ...lists.home, was_until: "2026-10-31" },
      landing: { ...lists.landing, was_until: "2026-10-31" },
    };
    expect(unsourced(dated, { ...comparison, sample: false, checked_on: "2026-11-01" })).toEqual([]);
  });

  it("may be shown for a year after its check", () => {
    const checked = { ...comparison, sample: false, checked_on: "2026-11-01" };
    expect(outdated(checked, "2027-11-01")).toBeNull();
    expect(outdated(checked, "2027-11-02")).toMatch(/over a year ago/);
    expect(outdated(comparison, "2027-11-02")).toBeNull();
  });
});
