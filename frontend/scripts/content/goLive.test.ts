import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { goLive } from "./goLive.ts";

const TODAY = "2026-11-22";
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "content-"));
  cpSync("content", folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

function change(file: string, from: string | RegExp, to: string) {
  const text = readFileSync(join(folder, file), "utf8");
  expect(text).toMatch(from);
  writeFileSync(join(folder, file), text.replace(from, to));
}

const stepOf = (title: string, given = {}) => {
  const found = goLive(folder, TODAY, given).find((step) => step.title === title);
  expect(found).toBeDefined();
  return found ?? { stops: [], open: [] };
};

it("lists what is missing in each step, in the order of the guide, and in which file", () => {
  const steps = goLive(folder, TODAY, {});
  expect(steps.filter(({ stops, open }) => stops.length + open.length === 0)).toEqual([]);
  const guide = readFileSync("content/README.md", "utf8");
  const rows = [...guide.matchAll(/^\| (\d+) \| ([^|]+) \|/gm)].map(([, number, title]) => [number, title]);
  expect(rows).toEqual(steps.map(({ title }, place) => [`${place + 1}`, title]));
  const lines = steps.flatMap(({ stops }) => stops);
  expect(lines.filter((line) => !/^(\.env|[a-z/-]+\.yaml), [^\n]+$/.test(line))).toEqual([]);
});

it("stops at nothing once the clinic has given what it asks for", () => {
  const stops = () => goLive(folder, TODAY).flatMap((step) => step.stops);
  change("clinic.yaml", /clinic\.example|example\.com/g, "clinic.test");
  change("clinic.yaml", "Placeholder Street 1", "Real Street 1");
  change("clinic.yaml", "query=Istanbul", "query=Real+Street");
  change("clinic.yaml", /sample: true/g, "sample: false");
  change("prices.yaml", /abutment: , zygomatic-jaw: /g, "abutment: 60, zygomatic-jaw: 2000 ");
  change("treatments.yaml", "whyLess:\n", "whyLess: Both arches are made in one go.\n");
  change("claims.yaml", /state: sample/g, "state: hidden");
  change("dentists.yaml", "portrait:\n    consent:\n", "portrait: fixture\n    consent: 2026-11-01\n");
  change("dentists.yaml", "sample: true", "sample: false");
  for (const file of ["text/privacy.yaml", "text/terms.yaml"]) {
    change(file, "checked_on:", "checked_on: 2026-11-01");
  }
  expect(stops().map((line) => line.split(": ")[0])).toEqual([
    "before-you-decide.yaml, checked_on",
    "before-you-decide.yaml, checked_on of sources",
  ]);
  change("before-you-decide.yaml", /checked_on:$/gm, "checked_on: 2026-11-20");
  expect(stops()).toEqual([]);
});

it.each([
  ["Who the clinic is", "clinic.yaml, authorisation.number: a sample (TR-0000)"],
  ["Phone and WhatsApp", ".env, WHATSAPP_NUMBER: not set here"],
  ["Prices, and what is in them", "prices.yaml, landing.parts.abutment: no price, and nobody can do without it"],
  ["Claims", expect.stringMatching(/^claims\.yaml, approved_by and checked_on: \d+ .*\(rating, .*free-x-ray,.*\)$/)],
  ["Photographs and people", expect.stringMatching(/^dentists\.yaml, .*register number and a portrait$/)],
  ["A lawyer's check", "text/terms.yaml, checked_on: no lawyer has checked it"],
])("%s: stops on %s", (title, line) => {
  expect(stepOf(title, { CLINIC_PHONE: "+90 1" }).stops).toContainEqual(line);
});

it("stops on prices where more costs less, until the page says why", () => {
  const order = () => stepOf("Prices, and what is in them").stops.filter((line) => line.includes("whyLess"));
  expect(order()).toHaveLength(4);
  change("treatments.yaml", "whyLess:\n", "whyLess: Both arches are made in one go.\n");
  expect(order()).toEqual([]);
});

it("counts samples, and says what production does with them", () => {
  change("gallery.yaml", "film: walk\n  sample: true\n", "film: walk\n  sample: false\n");
  change("gallery.yaml", "sample: true\n", "sample: false\n");
  const [rooms] = stepOf("Photographs and people").open;
  expect(rooms).toBe("gallery.yaml: 3 of 4 are samples; shown as illustrations");
  change("offers.yaml", "ends: 2027-12-31", "ends: 2026-10-31");
  expect(stepOf("Offers").open).toEqual([expect.stringContaining("4 of 4 are samples"), "crown-scan ended"]);
});

it("asks for the portrait of each dentist, and what the clinic alone knows", () => {
  change("dentists.yaml", "sample: true", "sample: false");
  const unseen = "dentists.yaml: 1 of 1 have no portrait; shown as initials";
  expect(stepOf("Photographs and people").open).toContain(unseen);
  const field = "only you know paying, clinic.deposit; nothing is said of it";
  expect(stepOf("A dentist's check").open).toContain(field);
  change("before-you-decide.yaml", "      deposit:", "      deposit: A tenth of the total.");
  expect(stepOf("A dentist's check").open).not.toContain(field);
});
