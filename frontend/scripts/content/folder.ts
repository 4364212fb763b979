/**
 * The folder content/ as a whole: its landing pages, and what its files must say alike. It is checked before a build, so that
 * whoever edits it reads sentences and no stack trace.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { name as address } from "./entries.ts";
import { checkPlain, checkTexts, sentencesWithoutClaim } from "./prose.ts";
import { ContentError, readContent, sentence } from "./read.ts";
import { type Content, FILES, type FileName, type Landing, type LongText, OFFER_PLACES } from "./schema.ts";

const ENDING = ".yaml";

/** First parts of the addresses that the site has besides its landing pages and texts. A test compares them with the routes. */
export const TAKEN = new Set([
  ...["pricing", "offers", "testimonials", "comparison", "journey", "clinic", "results", "promotions"],
  ...["thank-you", "before-you-decide", "treatments"],
  ...["your-plan", "enquiry", "details"],
  ...["api", "assets", "healthz", "readyz", "with-samples", "cards", "404"],
]);

export const textOf = (folder: string, file: string) => readFileSync(join(folder, file), "utf8");
/** The content of a file of the folder. */
export const read = <Name extends FileName>(folder: string, file: Name) =>
  readContent(file, textOf(folder, file)) as Content<Name>;

/** The pages of a folder inside by name, which is the address of each, in the order of their names. */
function readPages<Page>(folder: string, inside: string): Map<string, Page> {
  const files = readdirSync(join(folder, inside)).filter((file) => file.endsWith(ENDING));
  return new Map(
    files.sort().map((file) => {
      const name = file.slice(0, -ENDING.length);
      return [name, readContent(`${inside}/${file}`, textOf(folder, `${inside}/${file}`)) as Page];
    }),
  );
}

export const readLandings = (folder: string) => readPages<Landing>(folder, "landing");
export const readTexts = (folder: string) => readPages<LongText>(folder, "text");

/** Throws a `ContentError` for the first thing that two files say differently. */
export function checkFolder(folder: string): void {
  const { treatments: cards } = read(folder, "treatments.yaml");
  const treatments = new Set(cards.map(({ id }) => id));
  const { lists } = read(folder, "prices.yaml");
  const landings = readLandings(folder);
  checkPrices(lists, treatments);
  checkComparison(read(folder, "comparison.yaml").lists, new Set(Object.keys(lists)), treatments);
  const pages = readTexts(folder);
  checkAddresses(pages.keys());
  const { claims } = read(folder, "claims.yaml");
  checkLandings(landings, Object.keys(lists), claims, pages.keys());
  checkOffers(read(folder, "offers.yaml").offers, [...OFFER_PLACES, ...landings.keys()]);
  checkAllTexts(folder, landings, treatments);
  checkPlain(spokenIn(folder), read(folder, "plain.yaml"));
  checkNamedPrices(cards, lists);
  checkRelated(cards, treatments);
  checkTopics(read(folder, TOPICS_FILE), claims, treatments);
}

/** What is wrong in `folder`: a sentence for each file that cannot be used, else for what two files say differently. */
export function problemsIn(folder: string): string[] {
  const there = ["", "landing/", "text/"].flatMap((part) =>
    readdirSync(join(folder, part))
      .filter((name) => name.endsWith(ENDING))
      .map((name) => part + name),
  );
  const alone = [...new Set([...Object.keys(FILES), ...there])].flatMap((file) =>
    problemOf(() => {
      if (!existsSync(join(folder, file))) {
        throw sentence(file, "", "the file is missing");
      }
      readContent(file, textOf(folder, file));
    }),
  );
  return alone.length > 0 ? alone : problemOf(() => checkFolder(folder));
}

function problemOf(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (cause) {
    if (cause instanceof ContentError) {
      return [cause.message];
    }
    throw cause;
  }
}

/** The sentences without a claim, where the site speaks for itself. */
export const spokenIn = (folder: string) =>
  sentencesWithoutClaim((file) => read(folder, file), read(folder, "claims.yaml").claims);

function checkAllTexts(folder: string, landings: ReadonlyMap<string, Landing>, treatments: Names): void {
  const { claims } = read(folder, "claims.yaml");
  const files = (Object.keys(FILES) as FileName[]).filter((file) => file !== "claims.yaml");
  for (const file of files) {
    checkTexts(file, read(folder, file), claims, treatments);
  }
  for (const [name, landing] of landings) {
    checkTexts(`landing/${name}${ENDING}`, landing, claims, treatments);
  }
  for (const [name, page] of readTexts(folder)) {
    checkTexts(`text/${name}${ENDING}`, page, claims, treatments);
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

/** The treatments and parts whose prices a card names, in its sum and in what it leaves out. */
function namedPrices({ adds, details }: Card): string[] {
  const left = details.excludes.flatMap((line) => [...line.matchAll(/\{price:([^}]*)\}/g)]);
  return [...(adds ?? []), ...left.map(([, id]) => id ?? "")];
}

/** A list that has a card's price needs those that the card names. */
function checkNamedPrices(cards: readonly Card[], lists: Content<"prices.yaml">["lists"]): void {
  for (const [list, { parts, prices }] of Object.entries(lists)) {
    for (const card of cards.filter(({ id }) => prices[id])) {
      const missing = namedPrices(card).find((id) => !(id in parts || prices[id]));
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

const TOPICS_FILE = "before-you-decide.yaml";

/** A topic names its sources, and the one of each claim that rests on a source. */
function checkTopics(
  { topics, sources }: Content<typeof TOPICS_FILE>,
  claims: Content<"claims.yaml">["claims"],
  treatments: Names,
): void {
  const byAddress = new Map(Object.entries(sources).map(([id, { address: at }]) => [at, id]));
  for (const [number, topic] of topics.entries()) {
    const field = (name: string) => `topics.${number}.${name}`;
    const unknown = topic.sources.find((id) => !sources[id]);
    if (unknown !== undefined) {
      throw sentence(TOPICS_FILE, field("sources"), `names ${unknown}, which is not among the sources`);
    }
    for (const [, claim = ""] of JSON.stringify(topic).matchAll(/\{claim:([^}]+)\}/g)) {
      const source = byAddress.get(claims[claim]?.evidence ?? "");
      if (source !== undefined && !topic.sources.includes(source)) {
        throw sentence(TOPICS_FILE, field("sources"), `must name ${source}, because of {claim:${claim}}`);
      }
    }
    const other = topic.of.flatMap(({ treatments: ids }) => ids).find((id) => !treatments.has(id));
    if (other !== undefined) {
      throw sentence(TOPICS_FILE, field("of"), `names ${other}, which ${UNKNOWN}`);
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

const NO_ADDRESS = "must be named like an address: small letters, digits and hyphens";

function checkAddresses(pages: Iterable<string>): void {
  for (const name of pages) {
    if (!address.safeParse(name).success || TAKEN.has(name)) {
      throw sentence(
        `text/${name}${ENDING}`,
        "",
        TAKEN.has(name) ? `has an address that is taken: /${name}` : NO_ADDRESS,
      );
    }
  }
}

function checkLandings(
  landings: ReadonlyMap<string, Landing>,
  lists: readonly string[],
  claims: Content<"claims.yaml">["claims"],
  pages: Iterable<string>,
): void {
  const used = new Set([...TAKEN, ...pages]);
  for (const [name, { also, hero, prices }] of landings) {
    const file = `landing/${name}${ENDING}`;
    if (!address.safeParse(name).success) {
      throw sentence(file, "", NO_ADDRESS);
    }
    if (!lists.includes(prices)) {
      throw sentence(file, "prices", `must be a list of prices.yaml: ${lists.join(", ")}`);
    }
    if (hero.rests !== undefined && !claims[hero.rests]?.places.includes("hero-landing")) {
      throw sentence(file, "hero.rests", "must be a claim of claims.yaml with the place hero-landing");
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
        throw sentence("offers.yaml", `offers.${number}.places.${place}`, `must be one of ${known.join(", ")}`);
      }
    }
  }
}
