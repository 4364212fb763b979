import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plan } from "#content/plan";
import { type PlanAnswers, type PlanData, planView, readAnswers, stateOf, tap, textOf } from "./plan";

interface Case {
  said: string;
  taps: string[];
  text: string;
  tooth: number;
  state: string;
  view: unknown;
}

const { data, cases }: { data: PlanData; cases: Case[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../tests/plan_cases.json"), "utf8"),
);

const answersOf = (said: string) => {
  const answers = readAnswers(data, Object.fromEntries(new URLSearchParams(said)));
  if (answers === null) {
    throw new Error(`There is no list in ${said}`);
  }
  return answers;
};

describe("the price plan", () => {
  it.each(cases)(
    "says of $said with $taps what the server says",
    ({ said, taps, text, tooth, state, view }) => {
      const answers = taps.reduce<PlanAnswers>((before, what) => tap(data, before, what), answersOf(said));
      expect(textOf(answers, data.version)).toBe(text);
      expect(stateOf(data, answers, tooth)).toBe(state);
      expect(planView(data, answers)).toEqual(view);
    },
  );

  it("has cases of every kind", () => {
    const views = cases.map(({ view }) => view as ReturnType<typeof planView>);
    expect(new Set(views.map((view) => view?.state))).toEqual(new Set(["sum", "mark", "scan", undefined]));
    expect(new Set(views.map((view) => view?.about)).size).toBe(6);
    expect(views.some((view) => view?.instead)).toBe(true);
    expect(cases.length).toBeGreaterThan(100);
  });

  it("reads no list that there is not", () => {
    expect(readAnswers(data, { list: "constructor", about: "several" })).toBeNull();
  });

  it("adds up the clinic's own lists, tooth by tooth", () => {
    const answers = { list: "home", about: "several", missing: [16, 18], replace: [24], xray: "yes" };
    const prices = plan.lists.home?.prices ?? {};
    const tooth =
      (prices["dental-implants"] ?? 0) + (prices.abutment ?? 0) + (prices["zirconia-crowns"] ?? 0);
    expect(planView(plan, answers)?.total).toBe(2 * tooth);
  });

  it.each(plan.topics.filter(({ plan: way }) => way === null))("has no number for $id", ({ id }) => {
    const answers = { list: "home", about: id, missing: [16], replace: [], xray: null };
    expect(planView(plan, answers)).toMatchObject({
      state: "scan",
      total: null,
      sum: null,
      lines: [],
      instead: null,
    });
  });
});
