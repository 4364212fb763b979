import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkFolder } from "./folder.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "content-"));
  cpSync(join(process.cwd(), "content"), folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const landing = (name: string) => `landing/${name}.yaml`;
const textOf = (file: string) => readFileSync(join(folder, file), "utf8");

it("finds nothing wrong with the clinic's own content", () => {
  expect(() => checkFolder(folder)).not.toThrow();
});

it.each([
  [
    "prices.yaml",
    / {6}all-on-4:.*\n/,
    "",
    "content/prices.yaml: lists.home.prices.all-on-4 is missing (a price, or nothing behind its name).",
  ],
  [
    "prices.yaml",
    "all-on-4:",
    "all-on-5: { price: 1 }\n      all-on-4:",
    "content/prices.yaml: lists.home.prices.all-on-5 is no treatment of treatments.yaml.",
  ],
  [
    "prices.yaml",
    /\{ price: \d+, was: \d+ \}/g,
    "",
    "content/prices.yaml: lists.home.prices must have at least one price.",
  ],
  [
    landing("dental-implants"),
    "prices: landing",
    "prices: spring",
    "content/landing/dental-implants.yaml: prices must be a list of prices.yaml: home, landing",
  ],
  [
    landing("dental-implants"),
    "best-dental-implants-turkey",
    "offers",
    "content/landing/dental-implants.yaml: also.0 has an address that is taken: /offers.",
  ],
  [
    "offers.yaml",
    "[special-offers]",
    "[special-offer]",
    "content/offers.yaml: offers.0.places.0 must be one of special-offers, special-promotions, ",
  ],
  [
    "reasons.yaml",
    "{claim:costs}",
    "{claim:wages}",
    "content/reasons.yaml: turkey.0.text names {claim:wages}, which there is not.",
  ],
  [
    "treatments.yaml",
    "is {price:zirconia-crowns}",
    "is {price:gold-crowns}",
    "content/treatments.yaml: treatments.0.details.excludes.0 names {price:gold-crowns}, which there is not.",
  ],
  [
    "prices.yaml",
    "zirconia-crowns: { price: 180, was: 220 }",
    "zirconia-crowns:",
    "content/prices.yaml: lists.landing.prices.zirconia-crowns must be a price, because the card dental-implants names it.",
  ],
  [
    "before-you-decide.yaml",
    "sources: [esposito-2013]",
    "sources: [esposito]",
    "content/before-you-decide.yaml: topics.4.sources names esposito, which is not among the sources.",
  ],
  [
    "before-you-decide.yaml",
    "sources: [mustapha-2021, wagner-2022,",
    "sources: [wagner-2022,",
    "content/before-you-decide.yaml: topics.1.sources must name mustapha-2021, because of {claim:smoking}.",
  ],
  [
    "faq.yaml",
    "What does the warranty cover?",
    "What does the 15-year warranty cover?",
    "content/faq.yaml: faq.5.question repeats what only claims.yaml may say: write {claim:warranty} where",
  ],
  [
    "treatments.yaml",
    "With a zirconia crown {price}, plus",
    "With a zirconia crown from {price}, plus",
    'content/treatments.yaml: treatments.0.buysApart cannot say "from", because nobody can pay a sum without the abutment.',
  ],
  [
    "reasons.yaml",
    'text: "{claim:papers}"',
    'text: "{claim:papers} Our dentists are the best in town."',
    'content/reasons.yaml: reasons.3.text claims something ("Our dentists are the best in town."): name a claim',
  ],
  [
    "journey.yaml",
    "    text: Send the form.",
    "    text: Yes. Send the form.",
    'content/journey.yaml: steps.0.text claims something ("Yes. Send the form.")',
  ],
  [
    "journey.yaml",
    "who: You and the clinic",
    "who: You",
    'content/plain.yaml: visitor.19 stands in no text any more ("You and the clinic").',
  ],
])("says in one sentence what is wrong in %s", (file, from, to, sentence) => {
  const changed = textOf(file).replace(from, to);
  expect(changed).not.toBe(textOf(file));
  writeFileSync(join(folder, file), changed);
  expect(() => checkFolder(folder)).toThrow(sentence);
});

it.each([
  ["offers", "content/landing/offers.yaml: has an address that is taken: /offers."],
  ["privacy", "content/landing/privacy.yaml: has an address that is taken: /privacy."],
  ["Spring Offer", "content/landing/Spring Offer.yaml: must be named like an address"],
])("says what is wrong with a landing page named %s", (name, sentence) => {
  writeFileSync(join(folder, landing(name)), textOf(landing("dental-implants")).replace(/also:.*\n/, ""));
  expect(() => checkFolder(folder)).toThrow(sentence);
});

it.each([
  ["offers", "content/text/offers.yaml: has an address that is taken: /offers."],
  ["Our Imprint", "content/text/Our Imprint.yaml: must be named like an address: small letters, digits and hyphens."],
])("says what is wrong with a page of text named %s", (name, sentence) => {
  writeFileSync(join(folder, `text/${name}.yaml`), textOf("text/terms.yaml"));
  expect(() => checkFolder(folder)).toThrow(sentence);
});

it('takes "from" before a sum that has the abutment in it', () => {
  const prices = textOf("prices.yaml").replaceAll("abutment:\n", "abutment: 60\n");
  writeFileSync(join(folder, "prices.yaml"), prices);
  const cards = textOf("treatments.yaml").replace("and a zirconia crown {price}", "and a zirconia crown from {price}");
  writeFileSync(join(folder, "treatments.yaml"), cards);
  expect(() => checkFolder(folder)).not.toThrow();
});
