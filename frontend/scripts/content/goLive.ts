/** What the clinic must still give before the site goes live, in the order of content/README.md. */
import { HOME_SECTIONS, INSTEAD, LANDING_SECTIONS } from "../../src/router/sectionTargets.ts";
import { ABUTMENT } from "./entries.ts";
import { read, readLandings, readTexts } from "./folder.ts";
import { outdated, priceOrder, reviewClaims, unsourced } from "./review.ts";

/** One step, with what is open in it; nothing is open in a step that is done. */
export interface Step {
  title: string;
  /** The file or place to change. */
  where: string;
  open: string[];
  /** What the site must not go live with. */
  stops?: string[];
}

/** Settings of the deployment by name; those that are not set are missing. */
export type Settings = Readonly<Record<string, string | undefined>>;

const PLACEHOLDERS = /\bexample\.com\b|\.example\b|placeholder/i;

const missing = (open: boolean, what: string) => (open ? [what] : []);

function clinic(folder: string): string[] {
  const { site, address, email, complaints, map, authorisation } = read(folder, "clinic.yaml");
  const values = { site, "address.street": address.street, email, "complaints.email": complaints.email };
  return [
    ...Object.entries(values)
      .filter(([, value]) => PLACEHOLDERS.test(value))
      .map(([field, value]) => `${field} is a placeholder: ${value}`),
    ...missing(/query=Istanbul$/.test(map), "map leads to the city, not to the clinic"),
    ...missing(authorisation.sample, `authorisation.number is a sample: ${authorisation.number}`),
  ];
}

const settings = (given: Settings) =>
  ["CLINIC_PHONE", "WHATSAPP_NUMBER"].filter((name) => !given[name]).map((name) => `${name} is not set here`);

function prices(folder: string): Pick<Step, "open" | "stops"> {
  const { lists } = read(folder, "prices.yaml");
  const { treatments } = read(folder, "treatments.yaml");
  const needed = treatments.some(({ adds }) => adds?.includes(ABUTMENT));
  const open = Object.entries(lists)
    .filter(([, { abutment }]) => needed && abutment === null)
    .map(([list]) => `prices.yaml, ${list}: abutment has no price, so the cards say that it comes on top`);
  const stops = priceOrder(treatments, lists).map((line) => `${line}; change a price, or say why (whyLess)`);
  return { open, stops };
}

function claims(folder: string, today: string): string[] {
  const reviewed = reviewClaims(read(folder, "claims.yaml").claims, today);
  const samples = reviewed.claims.filter(({ state }) => state === "sample");
  return [...samples.map(({ says }) => `not stated without evidence: ${says}`), ...reviewed.problems];
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
  const results = hidden(folder, "before-after-gallery");
  const voices = hidden(folder, "video-testimonials", "patient-testimonials");
  const implants = hidden(folder, "premium-implants");
  return [
    ...samplesOf(read(folder, "gallery.yaml").gallery, "gallery.yaml", "shown as illustrations"),
    ...missing(
      read(folder, "gallery.yaml").tour?.sample === true,
      "gallery.yaml: the film of the clinic is a sample; shown as an illustration",
    ),
    ...samplesOf(read(folder, "cases.yaml").cases, "cases.yaml", results),
    ...samplesOf(read(folder, "testimonials.yaml").testimonials, "testimonials.yaml", voices),
    ...samplesOf(read(folder, "brands.yaml").brands, "brands.yaml", implants),
    ...dentists(folder),
  ];
}

function dentists(folder: string): string[] {
  const named = read(folder, "dentists.yaml").dentists.filter(({ sample }) => !sample);
  const unseen = named.filter(({ portrait }) => portrait === null).length;
  return [
    ...missing(named.length === 0, "dentists.yaml: nobody is named yet; the section is hidden until somebody is"),
    ...missing(unseen > 0, `dentists.yaml: ${unseen} of ${named.length} have no portrait; shown as initials`),
  ];
}

function comparisons(folder: string, today: string): string[] {
  const comparison = read(folder, "comparison.yaml");
  const old = outdated(comparison, today);
  return [...unsourced(read(folder, "prices.yaml").lists, comparison), ...(old === null ? [] : [old])];
}

function offers(folder: string, today: string): string[] {
  const all = read(folder, "offers.yaml").offers;
  const past = all.filter(({ ends }) => ends < today).map(({ id }) => `${id} ended`);
  return [...samplesOf(all, "offers.yaml", "an offer that is a sample is not shown"), ...past];
}

function texts(folder: string): string[] {
  return [...readTexts(folder)]
    .filter(([, { checked_on: checked }]) => checked === null)
    .map(([name]) => `${name}.yaml: no lawyer has checked it (checked_on)`);
}

/** What a dentist has not checked yet, and what the clinic alone can say. */
function beforeYouDecide(folder: string): string[] {
  const { checked_on: readOn, sources, topics } = read(folder, "before-you-decide.yaml");
  const unchecked = Object.values(sources).filter(({ checked_on: checked }) => checked === null);
  const empty = topics.flatMap(({ id, clinic: own }) =>
    Object.keys(own).flatMap((field) => (own[field] === null ? [`${id}, clinic.${field}`] : [])),
  );
  return [
    ...missing(readOn === null, "no dentist has read it (checked_on)"),
    ...unchecked.map(({ by, dated }) => `checked by a dentist, not yet: ${by} (${dated})`),
    ...empty.map((field) => `only you know ${field}; nothing is said of it`),
  ];
}

/** The steps. `today` is a day like 2026-12-31. */
export function goLive(folder: string, given: Settings, today: string): Step[] {
  return [
    { title: "Who the clinic is", where: "clinic.yaml", open: clinic(folder) },
    { title: "Phone and WhatsApp", where: "the settings (.env)", open: settings(given) },
    { title: "Prices, and what is in them", where: "prices.yaml, treatments.yaml", ...prices(folder) },
    { title: "Claims", where: "claims.yaml", open: claims(folder, today) },
    { title: "Photographs and people", where: "images/ and their files", open: pictures(folder) },
    {
      title: "What prices are compared with",
      where: "comparison.yaml, prices.yaml",
      open: comparisons(folder, today),
    },
    { title: "Offers", where: "offers.yaml", open: offers(folder, today) },
    { title: "A lawyer's check", where: "text/", open: texts(folder) },
    { title: "A dentist's check", where: "before-you-decide.yaml", open: beforeYouDecide(folder) },
  ];
}
