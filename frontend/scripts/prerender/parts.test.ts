import { describe, expect, it } from "vitest";
import { withSecondTry } from "../fetchAgain.ts";
import { appFiles, checkNames, checkParts } from "./head.mjs";

const part = (name: string, ...imports: string[]) => ({ name, file: `assets/${name}-1.js`, imports });
const GOOD = {
  "index.html": { name: "index", file: "arrival-1.js" },
  helpers: part("rolldown-runtime"),
  app: part("app", "index.html", "helpers"),
  page: part("page", "app"),
  sections: part("sections", "app", "page"),
  form: part("form", "sections"),
  sheet: { name: "extras", file: "assets/style.css", imports: ["form"] },
};

describe("the parts of the app", () => {
  it("are those that the build names, and depend on what is there before them", () => {
    expect(() => checkParts(GOOD)).not.toThrow();
  });

  it("refuse one that nobody placed, and one that depends on another late one", () => {
    expect(() => checkParts({ ...GOOD, new: part("wrapIndex") })).toThrow(
      /assets\/wrapIndex-1.js is a part of its own/,
    );
    expect(() => checkParts({ ...GOOD, extras: part("extras", "form") })).toThrow(/"extras" needs "form"/);
  });

  it("are listed for each page's first script", () => {
    expect(appFiles({ page: "landing" }, GOOD)).toEqual([
      "assets/app-1.js",
      "assets/rolldown-runtime-1.js",
      "assets/page-1.js",
    ]);
    expect(() => appFiles({ page: "text", text: "privacy" }, GOOD)).toThrow(/no part "legal"/);
  });
});

describe("the files of the app", () => {
  it.each([
    "consent-B91D6S6s.js",
    "ConsentBanner-B91D6S6s.css",
    "AD-B91D6S6s.svg",
    "metaPixel-B91D6S6s.js",
    "startTags-B91D6S6s.js",
    "assets/banner-B91D6S6s-800.webp",
    "tracking.js",
  ])("are not named as ad blockers expect it: %s", (file) => {
    expect(() => checkNames(["arrival-1a2b3c4d.js", file])).toThrow(/Ad blockers would take/);
  });

  it("may have such letters in a word, or in what stands for their content", () => {
    expect(() => checkNames(["shadows-B91D6S6s.js", "stage-B91D6S6s.webp", "app-ads_tag-.js"])).not.toThrow();
  });
});

it("a part that could not be fetched is asked for once more, under another address", () => {
  expect(withSecondTry("a(()=>import(`./form-1.js`),b)")).toBe(
    "a(()=>import(`./form-1.js`).catch(()=>import(`./form-1.js?again`)),b)",
  );
  expect(withSecondTry('import{a}from"./app-1.js"')).toBe('import{a}from"./app-1.js"');
});
