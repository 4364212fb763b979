import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { problemsIn } from "./folder.ts";
import { contentFiles } from "./plugin.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "content-"));
  cpSync(join(process.cwd(), "content"), folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const landing = (name: string) => `landing/${name}.yaml`;
const textOf = (file: string) => readFileSync(join(folder, file), "utf8");

function change(file: string, from: string | RegExp, to: string) {
  const changed = textOf(file).replace(from, to);
  expect(changed).not.toBe(textOf(file));
  writeFileSync(join(folder, file), changed);
}

it("finds nothing wrong with the clinic's own content", () => {
  expect(problemsIn(folder)).toEqual([]);
});

it.each<[file: string, from: string | RegExp, to: string, sentence: string]>([
  ["prices.yaml", "price: 175", "price: free", "lists.home.prices.dental-implants.price must be a number."],
  [
    "prices.yaml",
    "was: 250",
    "was: 150",
    "lists.home.prices.dental-implants.was must be more than the price, or be left out.",
  ],
  [
    "claims.yaml",
    "state: sample",
    "state: approved",
    "claims.rating.state may be approved only with evidence, the name in approved_by and the date in checked_on.",
  ],
  [
    "faq.yaml",
    "question: Does it hurt?",
    "question: '{claim:warranty} Does it hurt?'",
    "faq.0.question cannot name a claim or a price in braces.",
  ],
  [
    "comparison.yaml",
    "sample: true",
    "sample: false",
    "checked_on must be the date of the last comparison with the source, because sample is false.",
  ],
  [
    "testimonials.yaml",
    "sample: true",
    "sample: false",
    "testimonials.0.consent must be the date of the written consent, because sample is false.",
  ],
  [
    "testimonials.yaml",
    "video:\n",
    "video: http://video.example/1\n",
    "testimonials.0.video must be a film's name, or the https:// address at which a video service embeds it.",
  ],
  [
    "dentists.yaml",
    "portrait:\n",
    "portrait: fixture\n",
    "dentists.0.consent must be the date of the written consent to the portrait.",
  ],
  ["faq.yaml", "faq:", "faq: [", "line"],
  [
    "site.yaml",
    "skip: Skip to content",
    "skip: Skip to content\njump: Jump",
    "jump is not a field that this file knows.",
  ],
  [
    "lead-form.yaml",
    "Please check {count} fields",
    "Please check some fields",
    "form.summary.many must contain {count}.",
  ],
  [
    "prices.yaml",
    / {6}all-on-4:.*\n/,
    "",
    "lists.home.prices.all-on-4 is missing (a price, or nothing behind its name).",
  ],
  [
    "prices.yaml",
    "all-on-4:",
    "all-on-5: { price: 1 }\n      all-on-4:",
    "lists.home.prices.all-on-5 is no treatment of treatments.yaml.",
  ],
  ["prices.yaml", /\{ price: \d+, was: \d+ \}/g, "", "lists.home.prices must have at least one price."],
  [
    landing("dental-implants"),
    "prices: landing",
    "prices: spring",
    "prices must be a list of prices.yaml: home, landing",
  ],
  [
    landing("dental-implants"),
    "rests: free-x-ray",
    "rests: costs",
    "hero.rests must be a claim of claims.yaml with the place hero-landing",
  ],
  [
    landing("dental-implants"),
    "best-dental-implants-turkey",
    "offers",
    "also.0 has an address that is taken: /offers.",
  ],
  [
    "offers.yaml",
    "[special-offers]",
    "[special-offer]",
    "offers.0.places.0 must be one of special-offers, special-promotions, ",
  ],
  [
    "offers.yaml",
    /(ends: .*\n +)sample: true/,
    "$1sample: false",
    "offers.0.ends must be within three months of starts",
  ],
  ["reasons.yaml", "{claim:costs}", "{claim:wages}", "turkey.0.text names {claim:wages}, which there is not."],
  [
    "treatments.yaml",
    "is {price:zirconia-crowns}",
    "is {price:gold-crowns}",
    "treatments.0.details.excludes.0 names {price:gold-crowns}, which there is not.",
  ],
  [
    "prices.yaml",
    "zirconia-crowns: { price: 180, was: 220 }",
    "zirconia-crowns:",
    "lists.landing.prices.zirconia-crowns must be a price, because the card dental-implants names it.",
  ],
  [
    "before-you-decide.yaml",
    "sources: [esposito-2013]",
    "sources: [esposito]",
    "topics.4.sources names esposito, which is not among the sources.",
  ],
  [
    "before-you-decide.yaml",
    "sources: [mustapha-2021, wagner-2022,",
    "sources: [wagner-2022,",
    "topics.1.sources must name mustapha-2021, because of {claim:smoking}.",
  ],
  [
    "faq.yaml",
    "What does the warranty cover?",
    "What does the 15-year warranty cover?",
    "faq.5.question repeats what only claims.yaml may say: write {claim:warranty} where",
  ],
  [
    "treatments.yaml",
    "The implant on its own;",
    "With a crown {price}.",
    "treatments.0.buysApart cannot name a sum that leaves something out.",
  ],
  [
    "reasons.yaml",
    'text: "{claim:papers}"',
    'text: "{claim:papers} Our dentists are the best in town."',
    'reasons.3.text claims something ("Our dentists are the best in town."): name a claim',
  ],
  [
    "journey.yaml",
    "    text: Send the form.",
    "    text: Yes. Send the form.",
    'steps.0.text claims something ("Yes. Send the form.")',
  ],
])("says in one sentence what is wrong in %s", (file, from, to, sentence) => {
  change(file, from, to);
  expect(problemsIn(folder)).toEqual([expect.stringContaining(`content/${file}: ${sentence}`)]);
});

it("says which plain sentence stands in no text any more", () => {
  change("journey.yaml", "who: You and the clinic", "who: You");
  const problem = /^content\/plain\.yaml: visitor\.\d+ stands in no text any more \("You and the clinic"\)\.$/;
  expect(problemsIn(folder)).toEqual([expect.stringMatching(problem)]);
});

it("has a sentence for each file that cannot be used, for one that is missing and for one that nothing reads", () => {
  change("prices.yaml", "price: 175", "price: free");
  rmSync(join(folder, "site.yaml"));
  writeFileSync(join(folder, "staff.yaml"), "a: 1");
  expect(problemsIn(folder)).toEqual([
    "content/prices.yaml: lists.home.prices.dental-implants.price must be a number.",
    "content/site.yaml: the file is missing.",
    expect.stringContaining("content/staff.yaml: is not one of "),
  ]);
});

it("stops a build before it begins, with the sentence alone", () => {
  change("prices.yaml", "price: 175", "price: free");
  const ended = spawnSync(process.execPath, ["scripts/content.mjs", "check", folder], { encoding: "utf8" });
  expect([ended.status, ended.stdout]).toEqual([1, ""]);
  expect(ended.stderr).toBe("content/prices.yaml: lists.home.prices.dental-implants.price must be a number.\n");
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(scripts.build).toMatch(/^node scripts\/content\.mjs check && /);
});

it("stops a build whose content is wrong", async () => {
  writeFileSync(join(folder, "brands.yaml"), "brands: []\n");
  const building = build({
    configFile: false,
    logLevel: "silent",
    plugins: [contentFiles(folder)],
    build: { write: false, lib: { entry: join(folder, "brands.yaml"), formats: ["es"] } },
  });
  await expect(building).rejects.toThrow("content/brands.yaml: brands must have exactly 6 entries.");
});

it.each([
  ["offers", "content/landing/offers.yaml: has an address that is taken: /offers."],
  ["privacy", "content/landing/privacy.yaml: has an address that is taken: /privacy."],
  ["Spring Offer", "content/landing/Spring Offer.yaml: must be named like an address"],
])("says what is wrong with a landing page named %s", (name, sentence) => {
  writeFileSync(join(folder, landing(name)), textOf(landing("dental-implants")).replace(/also:.*\n/, ""));
  expect(problemsIn(folder)).toEqual([expect.stringContaining(sentence)]);
});

it.each([
  ["offers", "content/text/offers.yaml: has an address that is taken: /offers."],
  ["Our Imprint", "content/text/Our Imprint.yaml: must be named like an address: small letters, digits and hyphens."],
])("says what is wrong with a page of text named %s", (name, sentence) => {
  writeFileSync(join(folder, `text/${name}.yaml`), textOf("text/terms.yaml"));
  expect(problemsIn(folder)).toEqual([expect.stringContaining(sentence)]);
});
