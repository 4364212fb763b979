/** The folder content/ as a whole: its landing pages, and what its files must say alike. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { name as address } from "./fields.ts";
import { checkTexts } from "./prose.ts";
import { readContent, sentence } from "./read.ts";
import { type Content, FILES, type FileName, type Landing, OFFER_PLACES } from "./schema.ts";

const ENDING = ".yaml";

/** First parts of the addresses that the site has besides its landing pages. A test compares them with the routes. */
export const TAKEN = new Set([
  ...["pricing", "offers", "testimonials", "comparison", "journey", "clinic", "results", "promotions"],
  ...["thank-you", "privacy", "terms", "data-complaint", "treatments"],
  ...["api", "assets", "healthz", "readyz", "with-samples", "cards", "404"],
]);

const textOf = (folder: string, file: string) => readFileSync(join(folder, file), "utf8");
/** The content of a file of the folder. */
export const read = <Name extends FileName>(folder: string, file: Name) =>
  readContent(file, textOf(folder, file)) as Content<Name>;

/** The landing pages by name, which is the address of each, in the order of their names. */
export function readLandings(folder: string): Map<string, Landing> {
  const files = readdirSync(join(folder, "landing")).filter((file) => file.endsWith(ENDING));
  return new Map(
    files.sort().map((file) => {
      const name = file.slice(0, -ENDING.length);
      return [name, readContent(`landing/${file}`, textOf(folder, `landing/${file}`)) as Landing];
    }),
  );
}

/** Throws a `ContentError` for the first thing that two files say differently. */
export function checkFolder(folder: string): void {
  const { treatments: cards } = read(folder, "treatments.yaml");
  const treatments = new Set(cards.map(({ id }) => id));
  const { lists } = read(folder, "prices.yaml");
  const landings = readLandings(folder);
  checkPrices(lists, treatments);
  checkComparison(read(folder, "comparison.yaml").lists, new Set(Object.keys(lists)), treatments);
  checkLandings(landings, Object.keys(lists));
  checkOffers(read(folder, "offers.yaml").offers, [...OFFER_PLACES, ...landings.keys()]);
  checkAllTexts(folder, landings, treatments);
  checkNamedPrices(cards, lists);
  checkRelated(cards, treatments);
}

function checkAllTexts(folder: string, landings: ReadonlyMap<string, Landing>, treatments: Names): void {
  const { claims } = read(folder, "claims.yaml");
  const files = (Object.keys(FILES) as FileName[]).filter((file) => file !== "claims.yaml");
  for (const file of files) {
    checkTexts(file, read(folder, file), claims, treatments);
  }
  for (const [name, landing] of landings) {
    checkTexts(`landing/${name}${ENDING}`, landing, claims, treatments);
  }
}

type Names = ReadonlySet<string>;

const UNKNOWN = "is no treatment of treatments.yaml";

function checkPrices(lists: Content<"prices.yaml">["lists"], treatments: Names): void {
  for (const [list, { prices }] of Object.entries(lists)) {
    const field = (id: string) => `lists.${list}.prices.${id}`;
    for (const id of Object.keys(prices)) {
      if (!treatments.has(id)) {
        throw sentence("prices.yaml", field(id), UNKNOWN);
      }
    }
    for (const id of treatments) {
      if (!(id in prices)) {
        throw sentence("prices.yaml", field(id), "is missing (a price, or nothing behind its name)");
      }
    }
    if (!Object.values(prices).some(Boolean)) {
      throw sentence("prices.yaml", `lists.${list}.prices`, "must have at least one price");
    }
  }
}

type Card = Content<"treatments.yaml">["treatments"][number];

/** The treatments whose prices a card names, in its sum and in what it leaves out. */
function namedPrices({ adds, details }: Card): string[] {
  const left = details.excludes.flatMap((line) => [...line.matchAll(/\{price:([^}]*)\}/g)]);
  return [...(adds ?? []), ...left.map(([, id]) => id ?? "")];
}

/** A list that has a card's price needs those that the card names. */
function checkNamedPrices(cards: readonly Card[], lists: Content<"prices.yaml">["lists"]): void {
  for (const [list, { prices }] of Object.entries(lists)) {
    for (const card of cards.filter(({ id }) => prices[id])) {
      const missing = namedPrices(card).find((id) => !prices[id]);
      if (missing !== undefined) {
        const field = `lists.${list}.prices.${missing}`;
        throw sentence("prices.yaml", field, `must be a price, because the card ${card.id} names it`);
      }
    }
  }
}

/** A treatment's page leads to other treatments, and not to itself. */
function checkRelated(cards: readonly Card[], treatments: Names): void {
  for (const [number, { id, page }] of cards.entries()) {
    for (const [place, other] of page.related.entries()) {
      if (!treatments.has(other) || other === id) {
        const problem = other === id ? "is the treatment itself" : UNKNOWN;
        throw sentence("treatments.yaml", `treatments.${number}.page.related.${place}`, problem);
      }
    }
  }
}

function checkComparison(lists: Content<"comparison.yaml">["lists"], known: Names, treatments: Names): void {
  for (const [list, amounts] of Object.entries(lists)) {
    if (!known.has(list)) {
      throw sentence("comparison.yaml", `lists.${list}`, "is no list of prices.yaml");
    }
    for (const id of Object.keys(amounts)) {
      if (!treatments.has(id)) {
        throw sentence("comparison.yaml", `lists.${list}.${id}`, UNKNOWN);
      }
    }
  }
}

function checkLandings(landings: ReadonlyMap<string, Landing>, lists: readonly string[]): void {
  const used = new Set(TAKEN);
  for (const [name, { also, prices }] of landings) {
    const file = `landing/${name}${ENDING}`;
    if (!address.safeParse(name).success) {
      throw sentence(file, "", "must be named like an address: small letters, digits and hyphens");
    }
    if (!lists.includes(prices)) {
      throw sentence(file, "prices", `must be a list of prices.yaml: ${lists.join(", ")}`);
    }
    for (const [place, root] of [name, ...also].entries()) {
      if (used.has(root)) {
        throw sentence(file, place ? `also.${place - 1}` : "", `has an address that is taken: /${root}`);
      }
      used.add(root);
    }
  }
}

function checkOffers(offers: Content<"offers.yaml">["offers"], known: readonly string[]): void {
  for (const [number, { places }] of offers.entries()) {
    for (const [place, name] of places.entries()) {
      if (!known.includes(name)) {
        throw sentence(
          "offers.yaml",
          `offers.${number}.places.${place}`,
          `must be one of ${known.join(", ")}`,
        );
      }
    }
  }
}
