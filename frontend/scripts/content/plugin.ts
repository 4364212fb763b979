/**
 * Lets pages import "#content/FILE.yaml": each top-level field of a file is an export of that name, and {clinic} in any
 * text becomes the clinic's name. With ?real after the file's name the module is one boolean: whether any entry has lost
 * its sample mark. That keeps the file itself out of a first load. "#content/landing" lists the landing pages, "#content/text" the pages of text; "#content/treatments" the treatments of each price list. The words of their own pages are in
 * "#content/treatments.yaml?pages" alone, claims that have no place of their own in "#content/claims.yaml?named", and what
 * treatments' pages say of the topics in "#content/before-you-decide.yaml?brief". The build gets go-live.json, what the
 * clinic must give before a server in production starts with it.
 */
import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Plugin } from "vite";
import { fullName } from "../../src/content/clinicName.ts";
import { checkFolder, read, readLandings, readTexts, textOf } from "./folder.ts";
import { goLive } from "./goLive.ts";
import { readContent } from "./read.ts";
import type { Content } from "./schema.ts";

const IDENTIFIER = /^[a-z_]\w*$/i;

/** Fields for editors only, kept out of the bundle; and the words of a treatment's own page, a module of their own. */
const LEFT_OUT = new Set(["approved_by", "checked_on", "expires_on", "about", "scope", "page"]);

/** The file as a module. Separate exports let the bundler drop what a page does not use. */
export function moduleOf(content: Record<string, unknown>): string {
  return Object.entries(content)
    .filter(([key]) => IDENTIFIER.test(key))
    .map(([key, value]) => `export const ${key} = ${JSON.stringify(value, withoutSome)};`)
    .join("\n");
}

function withoutSome(key: string, value: unknown): unknown {
  return LEFT_OUT.has(key) ? undefined : value;
}

/** In any text {clinic} stands for the clinic's name, and {clinic-email} for its address. */
const CLINIC = "{clinic";
const CLINIC_FILE = "clinic.yaml";

type Fields = Record<string, unknown>;

/** The content with the name and the address that the text of clinic.yaml gives the clinic. */
function withName(content: Fields, clinicText: string): Fields {
  const { name, email } = readContent(CLINIC_FILE, clinicText) as Content<typeof CLINIC_FILE>;
  return JSON.parse(JSON.stringify(content), (_, value) =>
    typeof value === "string"
      ? value.replaceAll("{clinic}", fullName(name)).replaceAll("{clinic-email}", email)
      : value,
  );
}

function hasReal(content: Record<string, unknown>): boolean {
  const entries = Object.values(content).flatMap((value) => (Array.isArray(value) ? value : []));
  return entries.some((entry: { sample?: boolean }) => entry.sample === false);
}

/** The words of the treatments' own pages, by treatment. */
function pagesOf({ treatments }: Content<"treatments.yaml">): Fields {
  return Object.fromEntries(treatments.map(({ id, page }) => [id, page]));
}

/** The treatments' names alone. */
function namesOf({ treatments }: Content<"treatments.yaml">): Fields {
  return Object.fromEntries(treatments.map(({ id, title }) => [id, title]));
}

/** The claims that stand at a place of their own, or those that only texts name. */
function claimsOf({ claims }: Content<"claims.yaml">, placed: boolean): Fields {
  return Object.fromEntries(Object.entries(claims).filter(([, { places }]) => places.length > 0 === placed));
}

/** What the treatments' pages say before the whole page is opened. */
function briefOf({ topics }: Content<"before-you-decide.yaml">): Fields[] {
  return topics
    .filter(({ brief }) => brief)
    .map(({ id, title, answer, of, clinic }) => ({ id, title, answer, of, clinic }));
}

function codeOf(content: Fields, query: string | undefined): string {
  switch (query) {
    case "named":
      return `export const named = ${JSON.stringify(claimsOf(content as Content<"claims.yaml">, false), withoutSome)};`;
    case "brief":
      return moduleOf({ brief: briefOf(content as Content<"before-you-decide.yaml">), words: content.words });
    case "real":
      return `export const real = ${hasReal(content)};`;
    case "pages":
      return `export const pages = ${JSON.stringify(pagesOf(content as Content<"treatments.yaml">))};`;
    case "names":
      return `export const names = ${JSON.stringify(namesOf(content as Content<"treatments.yaml">))};`;
    default:
      return moduleOf("claims" in content ? { claims: claimsOf(content as Content<"claims.yaml">, true) } : content);
  }
}

const PREFIX = "#content/";
const CONTENT = join(import.meta.dirname, "../../content");

/** The landing pages, each with its name. Their words are small. */
function landingsModule(folder: string): string {
  const names = [...readLandings(folder).keys()];
  const imports = names.map((name, number) => `import * as page${number} from "${PREFIX}landing/${name}.yaml";`);
  const pages = names.map((name, number) => `{ name: "${name}", ...page${number} }`);
  return `${imports.join("\n")}\nexport const landings = [${pages.join(", ")}];`;
}

/** The pages of text, each with its head, and how its words are fetched. The name of the clinic is filled in. */
function textsModule(folder: string): string {
  const clinic = textOf(folder, CLINIC_FILE);
  const pages = [...readTexts(folder)].map(([name, { head }]) => {
    const words = JSON.stringify(withName(head, clinic));
    return `"${name}": { head: ${words}, load: () => import("${PREFIX}text/${name}.yaml") }`;
  });
  return `export const texts = { ${pages.join(", ")} };`;
}

/** The treatments that each price list has a price for, in the order of their cards. */
function treatmentsModule(folder: string): string {
  const { treatments } = read(folder, "treatments.yaml");
  const lists = Object.entries(read(folder, "prices.yaml").lists);
  const priced = lists.map(([list, { prices }]) => [
    list,
    treatments.filter(({ id }) => prices[id]).map(({ id }) => id),
  ]);
  return `export const priced = ${JSON.stringify(Object.fromEntries(priced))};`;
}

/** What several files make together, by the name that is imported, and the files to watch. */
const GATHERED: Record<string, { module: (folder: string) => string; files: string[] }> = {
  landing: { module: landingsModule, files: [] },
  text: { module: textsModule, files: [] },
  treatments: { module: treatmentsModule, files: ["treatments.yaml", "prices.yaml"] },
};
const VIRTUAL = "\0content-";

/** `folder`: another one than content/, for tests. */
export function contentFiles(folder: string = CONTENT): Plugin {
  return {
    name: "content-files",
    enforce: "pre",
    buildStart: () => checkFolder(folder),
    generateBundle() {
      const stops = goLive(folder, new Date().toISOString().slice(0, 10)).flatMap((step) => step.stops);
      this.emitFile({ type: "asset", fileName: "go-live.json", source: JSON.stringify(stops) });
    },
    resolveId(id) {
      const name = id.slice(PREFIX.length);
      if (!id.startsWith(PREFIX)) {
        return null;
      }
      return name in GATHERED ? VIRTUAL + name : join(folder, name);
    },
    async load(id) {
      const gathered = id.startsWith(VIRTUAL) ? GATHERED[id.slice(VIRTUAL.length)] : undefined;
      if (gathered) {
        for (const file of gathered.files) {
          this.addWatchFile(join(folder, file));
        }
        return { code: gathered.module(folder), map: null };
      }
      const [path = id, query] = id.split("?");
      if (!path.endsWith(".yaml") || !path.startsWith(folder + sep)) {
        return null;
      }
      const text = await readFile(path, "utf8");
      let content = readContent(path.slice(folder.length + 1).replaceAll(sep, "/"), text);
      if (text.includes(CLINIC)) {
        const clinic = join(folder, CLINIC_FILE);
        this.addWatchFile(clinic);
        content = withName(content, await readFile(clinic, "utf8"));
      }
      return { code: codeOf(content, query), map: null };
    },
  };
}
