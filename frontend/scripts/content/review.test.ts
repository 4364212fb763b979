import { describe, expect, it } from "vitest";
import { read } from "./folder.ts";
import { meaningOf, outdated, priceOrder, reviewClaims, unsourced } from "./review.ts";
import type { Content } from "./schema.ts";

type Claims = Content<"claims.yaml">["claims"];

const TODAY = "2026-11-21";
const stored = read("content", "claims.yaml").claims as Claims;

/** The site's own claims with some changed. */
function changed(changes: Record<string, Partial<Claims[string]>>): Claims {
  return Object.fromEntries(Object.entries(stored).map(([id, claim]) => [id, { ...claim, ...changes[id] }])) as Claims;
}

const APPROVED = { state: "approved", approved_by: "Fixture Person", checked_on: "2026-11-01" } as const;

describe("the review of claims", () => {
  it("shows which of the site's own claims contradict each other, and lets samples be", () => {
    const { claims, problems } = reviewClaims(stored, TODAY);
    const conflicts = Object.fromEntries(claims.map(({ id, conflicts: others }) => [id, others]));
    expect(conflicts["global-patients"]).toEqual(["clinic-patients"]);
    expect(conflicts.savings).toEqual(["savings-uk"]);
    expect(conflicts["patients-per-year"]).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("refuses two approved claims that contradict each other, once", () => {
    const { problems } = reviewClaims(changed({ "global-patients": APPROVED, "clinic-patients": APPROVED }), TODAY);
    expect(problems).toEqual(["clinic-patients and global-patients are both approved and contradict each other"]);
  });

  it("refuses an approved claim a day after it expired", () => {
    const until = (day: string) => reviewClaims(changed({ years: { ...APPROVED, expires_on: day } }), TODAY).problems;
    expect(until(TODAY)).toEqual([]);
    expect(until("2026-11-20")).toEqual(["years is approved and expired on 2026-11-20"]);
  });

  it("gives a claim without a day of its own a year from its check", () => {
    const on = (day: string) =>
      reviewClaims(changed({ years: { state: "approved", checked_on: day } }), TODAY).claims.find(
        ({ id }) => id === "years",
      );
    expect(on("2026-11-01")).toMatchObject({ ageDays: 20, expiresOn: "2027-11-01", expired: false });
    expect(on("2025-11-20")).toMatchObject({ ageDays: 366, expired: true });
  });

  it.each([
    ["100,000+", "100K+"],
    ["50K+", "50,000 +"],
    ["15 year", "15 Year"],
  ])("takes %s and %s for the same", (one, other) => {
    expect(meaningOf(one)).toBe(meaningOf(other));
  });

  it("takes 50K+ and 100,000+ for two things, and 4.7 for itself", () => {
    expect(meaningOf("50K+")).not.toBe(meaningOf("100,000+"));
    expect(meaningOf("4.7")).toBe("4.7");
  });
});

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
