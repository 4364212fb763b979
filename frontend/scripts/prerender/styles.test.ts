import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sheetOf, styleSources, stylesOf, withStyle } from "./styles.mjs";

const TEMPLATE = '<head>\n  <link rel="stylesheet" crossorigin href="/assets/style-abc.css">\n</head>';
const RULES = ".a{content:'$&'}";

test("the sheet of a page stands in it, letter by letter", () => {
  expect(sheetOf(TEMPLATE)).toBe("assets/style-abc.css");
  const page = withStyle(TEMPLATE, `${RULES}\n`);
  expect(page).toBe(`<head>\n  <style>${RULES}</style>\n</head>`);
  expect(stylesOf(page)).toEqual([RULES]);
});

test("the policy names each sheet once, by the hash of its letters", () => {
  const page = withStyle(TEMPLATE, RULES);
  const hash = createHash("sha256").update(RULES).digest("base64");
  expect(styleSources([page, page, "<p>no sheet</p>"])).toEqual([`'sha256-${hash}'`]);
});

test("a build without its sheet ends", () => {
  expect(() => sheetOf("<head></head>")).toThrow("The built page names no style sheet");
});
