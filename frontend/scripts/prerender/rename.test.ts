import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { build, type Plugin } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as server from "../../src/entry-server.tsx";
import { contentFiles } from "../content/plugin.ts";
import { pictureFolders } from "../pictures/plugin.ts";
import { headOf } from "./head.mjs";
import { siteFiles } from "./siteFiles.mjs";

const BASE = "https://clinic.example";
const root = process.cwd();
const folder = join(mkdtempSync(join(tmpdir(), "renamed-")), "content");
/** Inside node_modules, where the built file finds its packages. */
const outDir = join(root, "node_modules/.renamed");
let site: typeof server;

const renamedContent: Plugin = {
  name: "renamed-content",
  enforce: "pre",
  resolveId: (id) => (id.startsWith("#content/") ? join(folder, id.slice("#content/".length)) : null),
};

beforeAll(async () => {
  cpSync(join(root, "content"), folder, { recursive: true });
  const clinic = join(folder, "clinic.yaml");
  const before = readFileSync(clinic, "utf8");
  const after = before
    .replace("first: Bosphorus", "first: Marmara")
    .replace("rest: Dental Implant Clinic", 'rest: "\\"Smile\\" & Sons"');
  writeFileSync(clinic, after);
  await build({
    configFile: false,
    logLevel: "silent",
    plugins: [renamedContent, contentFiles(), pictureFolders(), react()],
    resolve: { alias: { "@": join(root, "src") } },
    build: { ssr: "src/entry-server.tsx", outDir, emptyOutDir: true },
  });
  site = await import(/* @vite-ignore */ join(outDir, "entry-server.js"));
}, 60_000);

afterAll(() => {
  rmSync(join(folder, ".."), { recursive: true });
  rmSync(outDir, { recursive: true, force: true });
});

const NAME = 'Marmara "Smile" & Sons';
const OLD = /Bosphorus|Dental Implant Clinic/;

describe("a clinic that is renamed in clinic.yaml alone", () => {
  it.each([true, false])(
    "has its new name in every tab, header, footer and preview (samples: %s)",
    async (samples) => {
      const documents = await site.renderAll(samples, BASE);
      expect(documents.length).toBeGreaterThan(30);
      for (const document of documents) {
        expect(document.title, document.path).toMatch(/ \| Marmara "Smile" & Sons$/);
        const html = document.html.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
        expect(html, document.path).toContain(`© ${NAME}`);
        expect(html.match(/Marmara/g)?.length, document.path).toBeGreaterThanOrEqual(3);
        const head = headOf(document, {}, "", site.identity);
        expect(head, document.path).toContain(
          '<meta property="og:site_name" content="Marmara &quot;Smile&quot; &amp; Sons" />',
        );
        expect(head + html, document.path).not.toMatch(OLD);
      }
    },
  );

  it("has it in the data for search engines and on home screens", async () => {
    const home = (await site.renderAll(false, BASE)).find(({ path }) => path === "/");
    expect(home?.structuredData).toMatchObject({ "@graph": [{ name: NAME }, {}] });
    const manifest = siteFiles(BASE, site.identity, [])["site.webmanifest"];
    expect(JSON.parse(manifest)).toMatchObject({ name: NAME, short_name: "Marmara" });
  });
});
