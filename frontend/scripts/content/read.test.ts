import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "vite";
import { describe, expect, it } from "vitest";
import { contentFiles, moduleOf } from "./plugin.ts";
import { ContentError, readContent } from "./read.ts";
import { FILES, type FileName } from "./schema.ts";

const folder = `${process.cwd()}/content/`;
const textOf = (file: string) => readFileSync(folder + file, "utf8");

/** What the reader says after one change to a file. */
function complaint(file: string, from: string | RegExp, to: string): string {
  const text = textOf(file);
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  try {
    readContent(file, changed);
  } catch (cause) {
    expect(cause).toBeInstanceOf(ContentError);
    return (cause as Error).message;
  }
  return "";
}

describe("the content folder", () => {
  it("holds every file that the schema knows, and each is sound", () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
    expect(files.sort()).toEqual(Object.keys(FILES).sort());
    for (const file of files) {
      expect(Object.keys(readContent(file, textOf(file as FileName)))).not.toHaveLength(0);
    }
  });

  it.each([
    [
      "prices.yaml",
      "price: 175",
      "price: free",
      "content/prices.yaml: lists.home.prices.dental-implants.price must be a number.",
    ],
    [
      "prices.yaml",
      "was: 250",
      "was: 150",
      "content/prices.yaml: lists.home.prices.dental-implants.was must be more than the price, or be left out.",
    ],
    [
      "treatments.yaml",
      "id: all-on-6",
      "id: all-on-4",
      "content/treatments.yaml: treatments.4.id is used twice: all-on-4.",
    ],
    ["clinic.yaml", "city:", "town:", "content/clinic.yaml: address.city is missing (must be text)."],
    [
      "text/privacy.yaml",
      "columns: { leads: [name, ",
      "column: { leads: [name, ",
      "content/text/privacy.yaml: sections.1.items.0 must be text, or text with columns.",
    ],
    [
      "claims.yaml",
      "state: sample",
      "state: approved",
      "content/claims.yaml: claims.rating.state may be approved only with evidence and the date of checked_on.",
    ],
    [
      "treatments.yaml",
      /^ {6}excludes:\n( {8}-.*\n)+/m,
      "",
      "content/treatments.yaml: treatments.0.details.excludes is missing (must be a list).",
    ],
    [
      "treatments.yaml",
      "    adds: [abutment, zirconia-crowns]\n",
      "",
      "content/treatments.yaml: treatments.0.buys must contain {price} where adds names treatments, and cannot otherwise.",
    ],
    [
      "faq.yaml",
      "question: Does it hurt?",
      "question: '{claim:warranty} Does it hurt?'",
      "content/faq.yaml: faq.0.question cannot name a claim or a price in braces.",
    ],
    [
      "comparison.yaml",
      "sample: true",
      "sample: false",
      "content/comparison.yaml: checked_on must be the date of the last comparison with the source, because sample is false.",
    ],
    [
      "clinic.yaml",
      'closes: "19:00"',
      'closes: "08:00"',
      "content/clinic.yaml: hours.closes must be after opens.",
    ],
    [
      "offers.yaml",
      "ends: 2027-12-31",
      "ends: 2025-12-31",
      "content/offers.yaml: offers.0.ends must not be before starts.",
    ],
    [
      "testimonials.yaml",
      "sample: true",
      "sample: false",
      "content/testimonials.yaml: testimonials.0.consent must be the date of the written consent, because sample is false.",
    ],
    [
      "testimonials.yaml",
      "video:\n",
      "video: http://video.example/1\n",
      "content/testimonials.yaml: testimonials.0.video must be a film's name, or the https:// address at which a video service embeds it.",
    ],
    [
      "treatments.yaml",
      "implant in Istanbul for {price}, placement",
      "implant in Istanbul, placement",
      "content/treatments.yaml: treatments.0.page.description must contain {price}.",
    ],
    [
      "dentists.yaml",
      "dentists: []",
      "dentists: [{ name: Fixture Person, title: Dentist, registration: TEST-1, languages: [English], portrait: fixture, consent: }]",
      "content/dentists.yaml: dentists.0.consent must be the date of the written consent to the portrait.",
    ],
    [
      "dentists.yaml",
      "dentists: []",
      "dentists: [{ name: Fixture Person, title: Dentist, registration: TEST-1, languages: [English, English], portrait: , consent: }]",
      "content/dentists.yaml: dentists.0.languages must not have an entry twice.",
    ],
    ["faq.yaml", "faq:", "faq: [", "content/faq.yaml: line"],
    ["heads.yaml", "  notFound:", "  missing:", "content/heads.yaml: heads.notFound is missing"],
    [
      "site.yaml",
      "skip: Skip to content",
      "skip: Skip to content\njump: Jump",
      "content/site.yaml: jump is not a field that this file knows.",
    ],
    [
      "lead-form.yaml",
      "Please check {count} fields",
      "Please check some fields",
      "content/lead-form.yaml: form.summary.many must contain {count}.",
    ],
  ] as const)("says in one sentence what is wrong in %s", (file, from, to, sentence) => {
    const said = complaint(file, from, to);
    expect(said).toContain(sentence);
    expect(said.split("\n")).toHaveLength(1);
  });

  it("refuses a file that nothing reads", () => {
    expect(() => readContent("staff.yaml", "a: 1")).toThrow(/content\/staff.yaml: is not one of/);
  });

  it("gives every field an export of its own", () => {
    expect(moduleOf({ home: { price: 1 }, "not-a-name": 2 })).toBe('export const home = {"price":1};');
  });

  it("stops a build whose content is wrong", async () => {
    const broken = join(mkdtempSync(join(tmpdir(), "site-")), "content");
    cpSync(folder, broken, { recursive: true });
    writeFileSync(join(broken, "brands.yaml"), "brands: []\n");
    const building = build({
      configFile: false,
      logLevel: "silent",
      plugins: [contentFiles(broken)],
      build: { write: false, lib: { entry: join(broken, "brands.yaml"), formats: ["es"] } },
    });
    await expect(building).rejects.toThrow("content/brands.yaml: brands must have exactly 6 entries.");
    rmSync(dirname(broken), { recursive: true });
  });
});
