/** What the clinic must still give before the site goes live, in the order of content/README.md. */
import { HOME_SECTIONS, INSTEAD, LANDING_SECTIONS } from "../../src/router/sectionTargets.ts";
import { read, readLandings, readTexts } from "./folder.ts";
import { outdated, priceOrder, reviewClaims, unsourced } from "./review.ts";

/** One step: nothing stops in it and nothing is open once it is done. A line says what is missing, and in which field. */
export interface Step {
  title: string;
  /** The file or place to change. */
  where: string;
  /** What the site does not go live without: the server refuses to start in production. */
  stops: string[];
  /** What production leaves out until it is given, or calls an illustration. */
  open: string[];
}

/** Settings of the deployment by name; those that are not set are missing. */
export type Settings = Readonly<Record<string, string | undefined>>;

const PLACEHOLDERS = /\bexample\.com\b|\.example\b|placeholder/i;

const missing = (isMissing: boolean, what: string) => (isMissing ? [what] : []);

function clinic(folder: string): string[] {
  const { site, address, email, complaints, map, company, authorisation } = read(folder, "clinic.yaml");
  const values = {
    site: process.env.SITE_URL || site,
    "address.street": address.street,
    email,
    "complaints.email": complaints.email,
  };
  return [
    ...Object.entries(values)
      .filter(([, value]) => PLACEHOLDERS.test(value))
      .map(([field, value]) => `clinic.yaml, ${field}: a placeholder (${value})`),
    ...missing(/query=Istanbul$/.test(map), "clinic.yaml, map: leads to the city, not to the clinic"),
    ...missing(company.sample, "clinic.yaml, company: a sample; who answers for the site, with a register number"),
    ...missing(authorisation.sample, `clinic.yaml, authorisation.number: a sample (${authorisation.number})`),
  ];
}

/** Of a deployment; its server refuses them too. */
const settings = (given: Settings) =>
  ["CLINIC_PHONE", "WHATSAPP_NUMBER"].filter((name) => !given[name]).map((name) => `.env, ${name}: not set here`);

function prices(folder: string): string[] {
  const { lists } = read(folder, "prices.yaml");
  const { treatments } = read(folder, "treatments.yaml");
  const needed = new Set(treatments.flatMap(({ adds }) => adds ?? []));
  const unpriced = Object.entries(lists).flatMap(([list, { parts }]) =>
    Object.keys(parts)
      .filter((part) => needed.has(part) && parts[part] === null)
      .map((part) => `prices.yaml, ${list}.parts.${part}: no price, and nobody can do without it`),
  );
  const order = priceOrder(treatments, lists).map((line) => `${line}; change a price, or say why (whyLess)`);
  return [...unpriced, ...order];
}

function claims(folder: string, today: string): string[] {
  const reviewed = reviewClaims(read(folder, "claims.yaml").claims, today);
  const undecided = reviewed.claims.filter(({ state }) => state === "sample").map(({ id }) => id);
  const needed = "need evidence, a name (a dentist's for what studies found) and the day, or state: hidden";
  return [
    ...missing(
      undecided.length > 0,
      `claims.yaml, approved_by and checked_on: ${undecided.length} claims ${needed} (${undecided.join(", ")})`,
    ),
    ...reviewed.problems.map((problem) => `claims.yaml, ${problem}`),
  ];
}

/** How many entries of a list are still samples, in words; nothing when none is. */
function samplesOf(entries: readonly { sample: boolean }[], file: string, instead: string): string[] {
  const count = entries.filter(({ sample }) => sample).length;
  return missing(count > 0, `${file}: ${count} of ${entries.length} are samples; ${instead}`);
}

/** What production does without a section, with the addresses that lead elsewhere until it is shown. */
function hidden(folder: string, ...sections: string[]): string {
  const roots = [...readLandings(folder)].flatMap(([name, { also }]) => [name, ...also]);
  const parts = roots.flatMap((root) =>
    Object.entries(LANDING_SECTIONS).map(([part, section]) => [`/${root}/${part}`, section] as const),
  );
  const led = [...Object.entries(HOME_SECTIONS), ...parts].filter(([, section]) => sections.includes(section));
  const addresses = led.map(([address]) => address).join(", ");
  return `the section is hidden until one is real, and ${addresses} show #${INSTEAD[sections[0] ?? ""]}`;
}

function pictures(folder: string): string[] {
  const { gallery, tour } = read(folder, "gallery.yaml");
  const voices = hidden(folder, "video-testimonials", "patient-testimonials");
  const named = read(folder, "dentists.yaml").dentists.filter(({ sample }) => !sample);
  const unseen = named.filter(({ portrait }) => portrait === null).length;
  return [
    ...samplesOf(gallery, "gallery.yaml", "shown as illustrations"),
    ...missing(tour?.sample === true, "gallery.yaml: the film of the clinic is a sample; shown as an illustration"),
    ...samplesOf(read(folder, "cases.yaml").cases, "cases.yaml", hidden(folder, "before-after-gallery")),
    ...samplesOf(read(folder, "testimonials.yaml").testimonials, "testimonials.yaml", voices),
    ...samplesOf(read(folder, "brands.yaml").brands, "brands.yaml", hidden(folder, "premium-implants")),
    ...missing(unseen > 0, `dentists.yaml: ${unseen} of ${named.length} have no portrait; shown as initials`),
  ];
}

const people = (folder: string) =>
  missing(
    !read(folder, "dentists.yaml").dentists.some(({ sample, portrait }) => !sample && portrait !== null),
    "dentists.yaml, dentists: no dentist is named with a register number and a portrait",
  );

/** Why the prices elsewhere may no longer be shown. */
const aged = (folder: string, today: string) => {
  const old = outdated(read(folder, "comparison.yaml"), today);
  return old === null ? [] : [`comparison.yaml, checked_on: ${old}`];
};

function offers(folder: string, today: string): string[] {
  const all = read(folder, "offers.yaml").offers;
  const past = all.filter(({ ends }) => ends < today).map(({ id }) => `${id} ended`);
  return [...samplesOf(all, "offers.yaml", "an offer that is a sample is not shown"), ...past];
}

const texts = (folder: string) =>
  [...readTexts(folder)].flatMap(([name, { checked_on: checked }]) =>
    missing(checked === null, `text/${name}.yaml, checked_on: no lawyer has checked it`),
  );

function unread(folder: string): string[] {
  const { checked_on: readOn, sources } = read(folder, "before-you-decide.yaml");
  const open = Object.entries(sources).flatMap(([id, { checked_on: checked }]) => (checked === null ? [id] : []));
  return [
    ...missing(readOn === null, "before-you-decide.yaml, checked_on: no dentist has read it"),
    ...missing(
      open.length > 0,
      `before-you-decide.yaml, checked_on of sources: no dentist has compared them (${open.join(", ")})`,
    ),
  ];
}

const unanswered = (folder: string) =>
  read(folder, "before-you-decide.yaml").topics.flatMap(({ id, clinic: own }) =>
    Object.keys(own).flatMap((field) =>
      missing(own[field] === null, `only you know ${id}, clinic.${field}; nothing is said of it`),
    ),
  );

/** The steps. `today` is a day like 2026-12-31; `given` are the settings, where those of a deployment are asked for too. */
export function goLive(folder: string, today: string, given?: Settings): Step[] {
  const step = (title: string, where: string, stops: string[], open: string[] = []) => ({ title, where, stops, open });
  const compared = unsourced(read(folder, "prices.yaml").lists, read(folder, "comparison.yaml"));
  return [
    step("Who the clinic is", "clinic.yaml", clinic(folder)),
    step("Phone and WhatsApp", "the settings (.env)", given ? settings(given) : []),
    step("Prices, and what is in them", "prices.yaml, treatments.yaml", prices(folder)),
    step("Claims", "claims.yaml", claims(folder, today)),
    step("Photographs and people", "images/ and their files", people(folder), pictures(folder)),
    step("What prices are compared with", "comparison.yaml, prices.yaml", aged(folder, today), compared),
    step("Offers", "offers.yaml", [], offers(folder, today)),
    step("A lawyer's check", "text/", texts(folder)),
    step("A dentist's check", "before-you-decide.yaml", unread(folder), unanswered(folder)),
  ];
}
