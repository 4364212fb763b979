/** The next build of the site: one sentence is another, and with it the name of every file that has a hash. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { styleSources } from "../../scripts/prerender/styles.mjs";

export const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
const BEFORE = "Start your journey to a perfect smile today";
export const AFTER = "Start your journey to a perfect smile this week";
const HASHED = /-([\w-]{8})(\.\w+)$/;
const TEXTS = new Set([".html", ".js", ".css", ".json"]);

const renamed = (name: string) =>
  name.replace(HASHED, (_, hash: string, end: string) => `-${[...hash].reverse().join("")}${end}`);

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A folder to serve, and how to remove it. */
export function makeNextBuild(): { folder: string; remove: () => void } {
  const folder = join(mkdtempSync(join(tmpdir(), "build-")), "dist");
  cpSync(DIST, folder, { recursive: true });
  for (const file of filesIn(folder).filter((name) => /\.(br|gz)$/.test(name))) {
    rmSync(file);
  }
  const files = filesIn(folder);
  const hashed = new Set(files.map((file) => basename(file)).filter((name) => HASHED.test(name)));
  for (const file of files) {
    if (TEXTS.has(extname(file))) {
      const text = readFileSync(file, "utf8").replaceAll(BEFORE, AFTER);
      writeFileSync(
        file,
        text.replace(/[\w.-]+/g, (name) => (hashed.has(name) ? renamed(name) : name)),
      );
    }
    if (hashed.has(basename(file))) {
      renameSync(file, join(dirname(file), renamed(basename(file))));
    }
  }
  const pages = filesIn(folder).filter((name) => name.endsWith(".html"));
  const policy = join(folder, "policy.json");
  const sources = styleSources(pages.map((name) => readFileSync(name, "utf8")));
  writeFileSync(policy, JSON.stringify({ ...JSON.parse(readFileSync(policy, "utf8")), "style-src": sources }));
  return { folder, remove: () => rmSync(dirname(folder), { recursive: true }) };
}
