/** The short set; `make lost-files` fails everything on every page, and prints what became of each. */
import { setTimeout as pause } from "node:timers/promises";
import { type Browser, expect, test } from "@playwright/test";
import { type Case, casesOf, PAGES, shortSet } from "./lost/cases";
import { type Outcome, visit } from "./lost/enquiry";
import { baseUrl } from "./support/product";

/** The whole set, or of it the cases with ONLY in their names; else the short set. */
const WHOLE = process.env.LOST_FILES === "whole";
const { ONLY = "" } = process.env;

const CASE_MS = 90_000;
const JOBS = 3;
const HUNG = { troubles: ["hung" as const], presses: 0, native: false, seconds: CASE_MS / 1000, left: "" };

type Result = Omit<Outcome, "asked" | "troubles"> & { troubles: readonly string[] };

function line({ path, name, how }: Case, { troubles, presses, native, seconds, left }: Result): string {
  const found = troubles.length === 0 ? "ok" : troubles.join(", ").toUpperCase();
  const sent = `${presses} ${presses === 1 ? "press" : "presses"}${native ? ", native" : ""}, ${seconds.toFixed(0)} s`;
  return `${path.padEnd(22)} ${name.padEnd(28)} ${how.padEnd(28)} ${found} (${sent}) ${left}`.trimEnd();
}

/** Runs the cases several at a time, each with an end. Gives a line for each that goes wrong; the whole set prints all. */
async function wrongOf(browser: Browser, cases: readonly Case[]): Promise<string[]> {
  const waiting = [...cases];
  const wrong: string[] = [];
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const end = pause(CASE_MS, HUNG, { ref: false });
      const result: Result = await Promise.race([visit(browser, baseUrl(), one), end]);
      const said = line(one, result);
      WHOLE && process.stdout.write(`${said}\n`);
      result.troubles.length > 0 && wrong.push(said);
    }
  };
  await Promise.all(Array.from({ length: JOBS }, worker));
  return wrong;
}

for (const path of PAGES) {
  test(`whichever part of a visit to ${path} fails, the enquiry is stored, and the page stays and tells the truth`, async ({
    browser,
  }) => {
    test.setTimeout(WHOLE ? 3_600_000 : 300_000);
    const all = await casesOf(browser, baseUrl(), path);
    const cases = WHOLE
      ? all.filter(({ name, how }) => `${name} ${how}`.includes(ONLY))
      : shortSet(all, PAGES.indexOf(path));
    expect(cases.length).toBeGreaterThan(ONLY ? 0 : 7);
    expect(await wrongOf(browser, cases)).toEqual([]);
  });
}
