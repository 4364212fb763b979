import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readContent } from "./read.ts";
import { meaningOf, reviewClaims } from "./reviewClaims.ts";
import type { Content } from "./schema.ts";

type Claims = Content<"claims.yaml">["claims"];

const TODAY = "2026-11-21";
const stored = readContent("claims.yaml", readFileSync("content/claims.yaml", "utf8")).claims as Claims;

/** The site's own claims with some changed. */
function changed(changes: Record<string, Partial<Claims[string]>>): Claims {
  return Object.fromEntries(Object.entries(stored).map(([id, claim]) => [id, { ...claim, ...changes[id] }])) as Claims;
}

const APPROVED = { state: "approved", checked_on: "2026-11-01" } as const;

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
