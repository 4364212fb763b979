import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "vite";
import { describe, expect, it } from "vitest";
import { contentFiles } from "./plugin.ts";
import { ContentError, readContent } from "./read.ts";

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
      "claims.yaml",
      "state: sample",
      "state: approved",
      "content/claims.yaml: claims.rating.state may be approved only with evidence and the date of checked_on.",
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
      "dentists.yaml",
      "dentists: []",
      "dentists: [{ name: Fixture Person, title: Dentist, registration: TEST-1, languages: [English], portrait: fixture, consent: }]",
      "content/dentists.yaml: dentists.0.consent must be the date of the written consent to the portrait.",
    ],
    ["faq.yaml", "faq:", "faq: [", "content/faq.yaml: line"],
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
