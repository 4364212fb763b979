/**
 * Lets pages import content/*.yaml: each top-level field of a file is an export of that name. With ?real after the
 * name it is one boolean: whether any entry has lost its sample mark. That keeps the file itself out of a first load.
 */
import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Plugin } from "vite";
import { readContent } from "./read.ts";

const IDENTIFIER = /^[a-z_]\w*$/i;

/** What only those who edit the files need: it would be carried by every first load. */
const EDITORS_ONLY = new Set(["checked_on", "expires_on", "about"]);

/** The file as a module. Separate exports let a page leave out what it does not show. */
export function moduleOf(content: Record<string, unknown>): string {
  return Object.entries(content)
    .filter(([key]) => IDENTIFIER.test(key))
    .map(([key, value]) => `export const ${key} = ${JSON.stringify(value, withoutEditors)};`)
    .join("\n");
}

function withoutEditors(key: string, value: unknown): unknown {
  return EDITORS_ONLY.has(key) ? undefined : value;
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
      const content = readContent(basename(path), await readFile(path, "utf8"));
      return {
        code: query === "real" ? `export const real = ${hasReal(content)};` : moduleOf(content),
        map: null,
      };
    },
  };
}
