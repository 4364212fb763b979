import { describe, expect, it } from "vitest";
import { withSecondTry } from "../fetchAgain.ts";
import { appFiles, checkNames } from "./head.mjs";

it("the files that a page's first script starts are those of the app and of the page", () => {
  const part = (name: string) => ({ name, file: `assets/${name}-1.js` });
  const manifest = Object.fromEntries(["rolldown-runtime", "app", "page"].map((name) => [name, part(name)]));
  expect(appFiles({ page: "landing" }, manifest)).toEqual([
    "assets/app-1.js",
    "assets/rolldown-runtime-1.js",
    "assets/page-1.js",
  ]);
  expect(() => appFiles({ page: "text", text: "privacy" }, manifest)).toThrow(/no part "legal"/);
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
