/** The short set; `make lost-files` fails everything on every page. */
import { expect, test } from "@playwright/test";
import { casesOf, PAGES, shortSet } from "./lost/cases";
import { line } from "./lost/report";
import { runAll } from "./lost/run";
import { baseUrl } from "./support/product";
import { chromiumEngine } from "./support/visitor";

for (const path of PAGES) {
  test(`whichever part of a visit to ${path} fails, the enquiry is stored, and the page stays and tells the truth`, async ({
    browser,
  }) => {
    test.setTimeout(300_000);
    const engine = chromiumEngine(browser);
    const cases = shortSet(await casesOf(engine, baseUrl(), path), PAGES.indexOf(path));
    const results = await runAll(engine, baseUrl(), cases, { jobs: 3 });
    expect(results.length).toBeGreaterThan(7);
    expect(results.filter(({ troubles }) => troubles.length > 0).map(line)).toEqual([]);
  });
}
