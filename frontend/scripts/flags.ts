/**
 * Writes a file for each flag whose name follows from the country: 265 addresses with hashes would be 2.6 kB of the form.
 * In small letters and one word with "flag": ad blockers take Andorra's, "AD-…", for what it is not.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const home = dirname(createRequire(import.meta.url).resolve("country-flag-icons/package.json"));
const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
const folder = join(home, "3x2");

/** The beginning and the end of each flag's address. The library's version is in it: the server keeps files forever. */
const [start, end] = ["assets/flag", `-${version}.svg`];

export function flags(): Plugin {
  return {
    name: "flags",
    config: (_, { command }) => ({
      define: {
        FLAG_FILES: JSON.stringify(command === "build" ? [`/${start}`, end] : [`/@fs${folder}/`, ".svg"]),
      },
    }),
    applyToEnvironment: ({ name }) => name === "client",
    generateBundle() {
      for (const file of readdirSync(folder).filter((name) => name.endsWith(".svg"))) {
        const fileName = start + file.slice(0, -".svg".length).toLowerCase() + end;
        this.emitFile({ type: "asset", fileName, source: readFileSync(join(folder, file)) });
      }
    },
  };
}
