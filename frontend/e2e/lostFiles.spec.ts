/** The short set; `make lost-files` fails everything on every page. */
import { expect, test } from "@playwright/test";
import { casesOf, PAGES, shortSet } from "./lost/cases";
import { line } from "./lost/report";
import { runAll } from "./lost/run";
import { baseUrl } from "./support/product";
import { chromiumEngine } from "./support/visitor";

test("whichever part of a visit fails, the enquiry is stored, and the page stays and tells the truth", async ({
  browser,
}) => {
  test.setTimeout(600_000);
  const engine = chromiumEngine(browser);
  const every = await Promise.all(PAGES.map((path) => casesOf(engine, baseUrl(), path)));
  const results = await runAll(engine, baseUrl(), every.flatMap(shortSet), { jobs: 4 });
  expect(results.length).toBeGreaterThan(20);
  expect(results.filter(({ troubles }) => troubles.length > 0).map(line)).toEqual([]);
});
