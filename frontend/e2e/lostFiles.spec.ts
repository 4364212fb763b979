/** The short set; `make lost-files` fails everything on every page, and prints what became of each. */
import { expect, test } from "@playwright/test";
import { casesOf, PAGES, shortSet } from "./lost/cases";
import { wrongOf } from "./lost/run";
import { baseUrl } from "./support/product";

/** Which cases of the whole set, by a part of their names; undefined: the short set. */
const WHOLE = process.env.LOST_FILES;

for (const path of PAGES) {
  test(`whichever part of a visit to ${path} fails, the enquiry is stored, and the page stays and tells the truth`, async ({
    browser,
  }) => {
    test.setTimeout(WHOLE === undefined ? 300_000 : 3_600_000);
    const all = await casesOf(browser, baseUrl(), path);
    const cases =
      WHOLE === undefined
        ? shortSet(all, PAGES.indexOf(path))
        : all.filter(({ name, how }) => `${name} ${how}`.includes(WHOLE));
    expect(cases.length).toBeGreaterThan(WHOLE ? 0 : 7);
    const tell = (line: string) => WHOLE !== undefined && process.stdout.write(`${line}\n`);
    expect(await wrongOf(browser, baseUrl(), cases, tell)).toEqual([]);
  });
}
