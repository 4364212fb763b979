import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DEFAULT_SETTINGS, NUMBER_TOKENS } from "../../src/lib/pageSettings.ts";
import { withSecondTry } from "../fetchAgain.ts";
import { checkPage } from "./check.mjs";
import { appFiles, checkNames } from "./head.mjs";

const numbers = {
  tokens: NUMBER_TOKENS,
  placeholders: [DEFAULT_SETTINGS.clinicPhone, DEFAULT_SETTINGS.clinicPhoneDigits, DEFAULT_SETTINGS.whatsappNumber],
};
const PHONE = '<a href="tel:{{clinic-phone-digits}}">{{clinic-phone}}</a>';
const CHAT = '<a href="https://wa.me/{{whatsapp-number}}?text=Hi">chat</a>';
const GOOD = `<!--settings-->${PHONE}${CHAT}`;

const problem = (html: string) => {
  try {
    checkPage(html, "/call", numbers);
  } catch (cause) {
    return (cause as Error).message;
  }
  return null;
};

it("takes a page with tokens in its links", () => {
  expect(problem(GOOD)).toBeNull();
});

it.each([
  ["a link with another number", `${GOOD}<a href="tel:+441234567890">`, /^The page \/call must have links with/],
  ["a chat with another number", `${GOOD}<a href="https://wa.me/441234?text=Hi">`, /wa\.me\/441234/],
  ["no phone link", GOOD.replace(PHONE, ""), /must have links with href="tel:/],
  ["no chat link", GOOD.replace(CHAT, ""), /must have links with href="https:\/\/wa\.me/],
  ["a placeholder number in the text", `${GOOD}+90 212 000 00 00`, /holds the placeholder number/],
  ["a placeholder number in a data block", `${GOOD}"telephone":"+902120000000"`, /placeholder number \+902120000000/],
  ["a token that nobody fills", `${GOOD}{{clinic-fax}}`, /holds \{\{clinic-fax\}\}/],
  ["no place for the settings", GOOD.replace("<!--settings-->", ""), /exactly once/],
])("refuses a page with %s", (_, html, message) => {
  expect(problem(html)).toMatch(message);
});

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

it.each([
  "consent-B91D6S6s.js",
  "ConsentBanner-B91D6S6s.css",
  "AD-B91D6S6s.svg",
  "metaPixel-B91D6S6s.js",
  "startTags-B91D6S6s.js",
  "assets/banner-B91D6S6s-800.webp",
  "tracking.js",
])("refuses a file that ad blockers take for another: %s", (file) => {
  expect(() => checkNames(["arrival-1a2b3c4d.js", file])).toThrow(/Ad blockers would take/);
});

it("takes a file with such letters in a word, or in what stands for their content", () => {
  expect(() => checkNames(["shadows-B91D6S6s.js", "stage-B91D6S6s.webp", "app-ads_tag-.js"])).not.toThrow();
});

it("a part that could not be fetched is asked for once more, under another address", () => {
  expect(withSecondTry("a(()=>import(`./form-1.js`),b)")).toBe(
    "a(()=>import(`./form-1.js`).catch(()=>import(`./form-1.js?again`)),b)",
  );
  expect(withSecondTry('import{a}from"./app-1.js"')).toBe('import{a}from"./app-1.js"');
});

it("styles change at a few widths, and the tokens alone name colours", () => {
  for (const file of readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => /\.css$/.test(name))) {
    const rules = readFileSync(`src/${file}`, "utf8").replace(/\/\*.*?\*\//gs, "");
    const widths = [...rules.matchAll(/@media[^{]*/g)].flatMap(([media]) => media.match(/(?<=width: )\w+/g) ?? []);
    const known = ["479px", "480px", "767px", "768px", "999px", "1000px", "1080px"];
    expect([file, ...widths.filter((width) => !known.includes(width))]).toEqual([file]);
    expect(file.endsWith("tokens.css") ? [] : (rules.match(/#[\da-f]{3,8}\b|rgb\(/g) ?? []), file).toEqual([]);
  }
});
