/** What the clinic must still give before the site goes live, in the order of content/README.md. */
import { read } from "./folder.ts";
import { reviewClaims } from "./reviewClaims.ts";
import { outdated, priceOrder, unsourced } from "./reviewPrices.ts";

/** One step, with what is open in it; nothing is open in a step that is done. */
export interface Step {
  title: string;
  /** The file or place to change. */
  where: string;
  open: string[];
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

function prices(folder: string): string[] {
  const { lists } = read(folder, "prices.yaml");
  return priceOrder(read(folder, "treatments.yaml").treatments, lists);
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

function pictures(folder: string): string[] {
  const hidden = "the section is hidden until one is real";
  return [
    ...samplesOf(read(folder, "gallery.yaml").gallery, "gallery.yaml", "shown as illustrations"),
    ...samplesOf(read(folder, "cases.yaml").cases, "cases.yaml", hidden),
    ...samplesOf(read(folder, "testimonials.yaml").testimonials, "testimonials.yaml", hidden),
    ...samplesOf(read(folder, "brands.yaml").brands, "brands.yaml", hidden),
    ...dentists(folder),
  ];
}

function dentists(folder: string): string[] {
  const named = read(folder, "dentists.yaml").dentists;
  const unseen = named.filter(({ portrait }) => portrait === null).length;
  return [
    ...missing(
      named.length === 0,
      "dentists.yaml: nobody is named yet; the section is hidden until somebody is",
    ),
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
  return (["privacy.yaml", "terms.yaml"] as const)
    .filter((file) => read(folder, file).checked_on === null)
    .map((file) => `${file}: no lawyer has checked it (checked_on)`);
}

/** The steps. `today` is a day like 2026-12-31. */
export function goLive(folder: string, given: Settings, today: string): Step[] {
  return [
    { title: "Who the clinic is", where: "clinic.yaml", open: clinic(folder) },
    { title: "Phone and WhatsApp", where: "the settings (.env)", open: settings(given) },
    { title: "Prices, and what is in them", where: "prices.yaml, treatments.yaml", open: prices(folder) },
    { title: "Claims", where: "claims.yaml", open: claims(folder, today) },
    { title: "Photographs and people", where: "images/ and their files", open: pictures(folder) },
    {
      title: "What prices are compared with",
      where: "comparison.yaml, prices.yaml",
      open: comparisons(folder, today),
    },
    { title: "Offers", where: "offers.yaml", open: offers(folder, today) },
    { title: "A lawyer's check", where: "privacy.yaml, terms.yaml", open: texts(folder) },
  ];
}
