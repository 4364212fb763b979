import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChangedSite, changedSite } from "./changedSite.ts";
import { headOf } from "./head.mjs";
import { siteFiles } from "./siteFiles.mjs";

const BASE = "https://clinic.example";
let site: ChangedSite["site"];
let remove: ChangedSite["remove"] | undefined;

beforeAll(async () => {
  ({ site, remove } = await changedSite((folder) => {
    const clinic = join(folder, "clinic.yaml");
    const renamed = readFileSync(clinic, "utf8")
      .replace("first: Bosphorus", "first: Marmara")
      .replace("rest: Dental Implant Clinic", 'rest: "\\"Smile\\" & Sons"');
    writeFileSync(clinic, renamed);
  }));
}, 60_000);

afterAll(() => remove?.());

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
        const head = headOf(document, site.identity);
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
