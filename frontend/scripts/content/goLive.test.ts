import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { read } from "./folder.ts";
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

const open = (title: string, given = {}) => goLive(folder, given, TODAY).find((step) => step.title === title)?.open;

it("lists what is open in each step, in the order of the guide", () => {
  const steps = goLive(folder, {}, TODAY);
  expect(steps.filter((step) => step.open.length === 0)).toEqual([]);
  const guide = readFileSync("content/README.md", "utf8");
  const rows = [...guide.matchAll(/^\| (\d+) \| ([^|]+) \|/gm)].map(([, number, title]) => [number, title]);
  expect(rows).toEqual(steps.map(({ title }, place) => [`${place + 1}`, title]));
});

it("takes a step for done when the clinic has given what it asks for", () => {
  change("clinic.yaml", "https://clinic.example", "https://clinic.test");
  change("clinic.yaml", "Placeholder Street 1", "Real Street 1");
  change("clinic.yaml", "hello@example.com", "hello@clinic.test");
  change("clinic.yaml", "complaints@example.com", "complaints@clinic.test");
  change("clinic.yaml", "query=Istanbul", "query=Real+Street");
  expect(open("Who the clinic is")).toEqual(["authorisation.number is a sample: TR-0000"]);
  change("clinic.yaml", "sample: true", "sample: false");
  expect(open("Who the clinic is")).toEqual([]);
  expect(open("Phone and WhatsApp", { CLINIC_PHONE: "+90 1", WHATSAPP_NUMBER: "+90 1" })).toEqual([]);
  expect(open("Phone and WhatsApp", { CLINIC_PHONE: "+90 1" })).toEqual(["WHATSAPP_NUMBER is not set here"]);
  change("text/privacy.yaml", "checked_on:", "checked_on: 2026-11-01");
  expect(open("A lawyer's check")).toEqual([expect.stringContaining("terms.yaml")]);
});

it("counts samples, and says what production does with them", () => {
  expect(open("Photographs and people")).toContain(
    "gallery.yaml: the film of the clinic is a sample; shown as an illustration",
  );
  change("gallery.yaml", "film: walk\n  sample: true\n", "film: walk\n  sample: false\n");
  change("gallery.yaml", "sample: true\n", "sample: false\n");
  expect(open("Photographs and people")?.[0]).toBe("gallery.yaml: 3 of 4 are samples; shown as illustrations");
  expect(open("Offers")).toEqual([expect.stringContaining("4 of 4 are samples")]);
  change("offers.yaml", "ends: 2027-12-31", "ends: 2026-10-31");
  expect(open("Offers")).toContain("crown-scan ended");
});

it("asks who treats the patients until somebody is named, and then for a portrait", () => {
  const said = () => open("Photographs and people")?.filter((line) => line.startsWith("dentists.yaml"));
  expect(said()).toEqual(["dentists.yaml: nobody is named yet; the section is hidden until somebody is"]);
  change("dentists.yaml", "sample: true", "sample: false");
  expect(said()).toEqual(["dentists.yaml: 1 of 1 have no portrait; shown as initials"]);
  change("dentists.yaml", "portrait:\n    consent:", "portrait: fixture\n    consent: 2026-11-01");
  expect(said()).toEqual([]);
});

it("asks a dentist to read what is said of risks, and the clinic for what it alone knows", () => {
  const said = open("A dentist's check") ?? [];
  expect(said[0]).toBe("no dentist has read it (checked_on)");
  const source = "checked by a dentist, not yet: Howe, Keys and Richards (2019)";
  const field = "only you know paying, clinic.deposit; nothing is said of it";
  expect(said).toEqual(expect.arrayContaining([source, field]));
  change("before-you-decide.yaml", /^checked_on:/m, "checked_on: 2026-11-20");
  change("before-you-decide.yaml", "      deposit:", "      deposit: A tenth of the total.");
  change("before-you-decide.yaml", /(jdent\.2019\.03\.008\n +checked_on:)/, "$1 2026-11-20");
  expect(open("A dentist's check")).toEqual(said.slice(1).filter((line) => ![source, field].includes(line)));
});

it("names each claim without evidence, and prices where more costs less", () => {
  expect(open("Claims")).toContain("not stated without evidence: 15 year warranty");
  const samples = Object.values(read(folder, "claims.yaml").claims).filter(({ state }) => state === "sample");
  expect(open("Claims")).toHaveLength(samples.length);
});

it("stops on prices where more costs less, until the page says why", () => {
  expect(goLive(folder, {}, TODAY)[2]?.stops).toHaveLength(4);
  change("treatments.yaml", "whyLess:\n", "whyLess: Both arches are made in one go.\n");
  expect(goLive(folder, {}, TODAY)[2]?.stops).toEqual([]);
});
