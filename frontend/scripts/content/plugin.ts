/**
 * Lets pages import content/*.yaml: each top-level field of a file is an export of that name, and {clinic} in any text
 * becomes the clinic's name. With ?real after the file's name the module is one boolean: whether any entry has lost its
 * sample mark. That keeps the file itself out of a first load.
 */
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Plugin } from "vite";
import { fullName } from "../../src/content/clinicName.ts";
import { readContent } from "./read.ts";
import type { Content } from "./schema.ts";

const IDENTIFIER = /^[a-z_]\w*$/i;

/** Fields for editors only, kept out of the bundle. */
const EDITORS_ONLY = new Set(["checked_on", "expires_on", "about"]);

/** The file as a module. Separate exports let the bundler drop what a page does not use. */
export function moduleOf(content: Record<string, unknown>): string {
  return Object.entries(content)
    .filter(([key]) => IDENTIFIER.test(key))
    .map(([key, value]) => `export const ${key} = ${JSON.stringify(value, withoutEditors)};`)
    .join("\n");
}

function withoutEditors(key: string, value: unknown): unknown {
  return EDITORS_ONLY.has(key) ? undefined : value;
}

/** Stands for the clinic's name in any text. */
const CLINIC = "{clinic}";
const CLINIC_FILE = "clinic.yaml";

type Fields = Record<string, unknown>;

/** The content with the name that the text of clinic.yaml gives the clinic. */
function withName(content: Fields, clinicText: string): Fields {
  const { name } = readContent(CLINIC_FILE, clinicText) as Content<typeof CLINIC_FILE>;
  return JSON.parse(JSON.stringify(content), (_, value) =>
    typeof value === "string" ? value.replaceAll(CLINIC, () => fullName(name)) : value,
  );
}

function hasReal(content: Record<string, unknown>): boolean {
  const entries = Object.values(content).flatMap((value) => (Array.isArray(value) ? value : []));
  return entries.some((entry: { sample?: boolean }) => entry.sample === false);
}

export function contentFiles(): Plugin {
  return {
    name: "content-files",
    enforce: "pre",
    async load(id) {
      const [path = id, query] = id.split("?");
      if (!path.endsWith(".yaml") || basename(dirname(path)) !== "content") {
        return null;
      }
      const text = await readFile(path, "utf8");
      let content = readContent(basename(path), text);
      if (text.includes(CLINIC)) {
        const clinic = join(dirname(path), CLINIC_FILE);
        this.addWatchFile(clinic);
        content = withName(content, await readFile(clinic, "utf8"));
      }
      return {
        code: query === "real" ? `export const real = ${hasReal(content)};` : moduleOf(content),
        map: null,
      };
    },
  };
}
