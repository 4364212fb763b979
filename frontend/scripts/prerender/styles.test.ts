import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
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

test("styles change at four widths, and the tokens alone name colours", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".css"),
  );
  expect(files.length).toBeGreaterThan(40);
  for (const file of files) {
    const rules = readFileSync(`src/${file}`, "utf8").replace(/\/\*.*?\*\//gs, "");
    const widths = [...rules.matchAll(/@media[^{]*/g)].flatMap(
      ([media]) => media.match(/(?<=width: )\w+/g) ?? [],
    );
    const known = ["359px", "479px", "480px", "767px", "768px", "999px", "1000px"];
    expect(
      widths.filter((width) => !known.includes(width)),
      file,
    ).toEqual([]);
    expect(file.endsWith("tokens.css") ? [] : (rules.match(/#[\da-f]{3,8}\b|rgb\(/g) ?? []), file).toEqual(
      [],
    );
  }
});
