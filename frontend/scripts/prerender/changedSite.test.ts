// @vitest-environment jsdom
/** The site as it is pre-rendered from another clinic's content/: no code changes with it. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import type * as server from "../../src/entry-server.tsx";
import { contentFiles } from "../content/plugin.ts";
import { pictureFolders } from "../pictures/plugin.ts";
import { headOf } from "./head.mjs";
import { listedAddresses, siteFiles } from "./siteFiles.mjs";

const BASE = "https://clinic.example";
const PAGE = "further-page";
const CLINIC = 'Marmara "Smile" & Sons';
const HEAD = { title: "Hollywood smile in Turkey", description: "A smile in five days." };
const HERO = {
  overline: "Hollywood smile in Turkey",
  title: "The smile you planned",
  proof: "A written plan first.",
  primary: "Plan my smile",
  line: "A dentist reads your case.",
};
/** Nobody: what the section shows of an entry. */
const FIXTURE = {
  name: "Fixture Person",
  title: "Dentist of the tests",
  does: "Reads your X-ray.",
  registration: "TEST-1",
  check: "https://register.example",
  languages: ["English", "Turkish"],
  portrait: null,
  consent: null,
  sample: false,
};

const root = process.cwd();
const parent = mkdtempSync(join(tmpdir(), "site-"));
const folder = join(parent, "content");
// Inside node_modules, where the built file finds its packages.
const outDir = join(root, "node_modules", `.${basename(parent)}`);
type Rendered = Awaited<ReturnType<typeof server.renderAll>>[number];
let site: typeof server;
let documents: Rendered[];

// biome-ignore lint/suspicious/noExplicitAny: what a marketer edits has no type.
function edit(file: string, change: (content: any) => void): void {
  const content = parse(readFileSync(join(folder, file), "utf8"), { schema: "core" });
  change(content);
  writeFileSync(join(folder, file), stringify(content));
}

function changeContent(): void {
  edit("clinic.yaml", (content) => {
    content.name = { first: "Marmara", rest: '"Smile" & Sons' };
  });
  edit("treatments.yaml", ({ treatments }) => {
    const further = { id: "further-treatment", title: "Further treatment", image: "hollywood-smile" };
    treatments.push({ ...treatments[1], ...further });
  });
  edit("prices.yaml", ({ lists }) => {
    const nothing = Object.fromEntries(Object.keys(lists.home.prices).map((id) => [id, null]));
    for (const name of Object.keys(lists)) {
      lists[name].prices["further-treatment"] = null;
    }
    lists.home.prices["further-treatment"] = { price: 2400, was: 3000 };
    const prices = { "zirconia-crowns": { price: 210 }, "further-treatment": { price: 3100, was: 3600 } };
    lists.home.parts.abutment = 60;
    lists.further = { ...lists.home, currency: "USD", was_until: null, prices: { ...nothing, ...prices } };
  });
  edit("claims.yaml", ({ claims }) => {
    const evidence = "https://clinic.example/warranty";
    for (const id of ["warranty", "same-brands"]) {
      Object.assign(claims[id], { state: "approved", evidence, approved_by: "A", checked_on: "2026-11-01" });
    }
  });
  edit("offers.yaml", ({ offers }) => {
    const places = ["special-offers", PAGE];
    offers.push({
      ...offers[0],
      id: "further-offer",
      title: "Further offer",
      places,
      ends: "2026-03-31",
      sample: false,
    });
  });
  edit("dentists.yaml", (content) => {
    content.dentists = [FIXTURE];
  });
  const page = { also: ["further-address"], head: HEAD, hero: HERO, prices: "further" };
  writeFileSync(join(folder, `landing/${PAGE}.yaml`), stringify(page));
}

beforeAll(async () => {
  cpSync(join(root, "content"), folder, { recursive: true });
  changeContent();
  await build({
    configFile: false,
    logLevel: "silent",
    plugins: [contentFiles(folder), pictureFolders(), react()],
    resolve: { alias: { "@": join(root, "src") } },
    build: { ssr: "src/entry-server.tsx", outDir, emptyOutDir: true },
  });
  site = await import(/* @vite-ignore */ join(outDir, "entry-server.js"));
  documents = await site.renderAll(false, BASE);
}, 120_000);
afterAll(() => {
  rmSync(parent, { recursive: true });
  rmSync(outDir, { recursive: true, force: true });
});

function rendered(path: string): Rendered {
  const found = documents.find((document) => document.path === path);
  if (!found) {
    throw new Error(`There is no ${path}`);
  }
  return found;
}

const pageAt = (path: string) => new DOMParser().parseFromString(rendered(path).html, "text/html");
const textsOf = (path: string, selector: string) =>
  [...pageAt(path).querySelectorAll(selector)].map(({ textContent }) => textContent);
const sitemap = () => siteFiles(BASE, site.identity, listedAddresses(documents))["sitemap.xml"];

describe("a clinic that is renamed in clinic.yaml alone", () => {
  it("has its new name in every tab, header, footer and preview, and the old one nowhere", () => {
    expect(documents.length).toBeGreaterThan(30);
    for (const document of documents) {
      const head = headOf(document, site.identity);
      const html = document.html.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
      expect(document.title, document.path).toMatch(/ \| Marmara "Smile" & Sons$|^Hollywood smile/);
      expect(html, document.path).toContain(`© ${CLINIC}`);
      expect(html.match(/Marmara/g)?.length, document.path).toBeGreaterThanOrEqual(3);
      expect(head, document.path).toContain('og:site_name" content="Marmara &quot;Smile&quot; &amp; Sons" />');
      expect(head + html, document.path).not.toMatch(/Bosphorus|Dental Implant Clinic/);
    }
  });

  it("has it in the data for search engines and on home screens", () => {
    expect(rendered("/").structuredData).toMatchObject({ "@graph": [{ name: CLINIC }, {}] });
    const manifest = JSON.parse(siteFiles(BASE, site.identity, [])["site.webmanifest"]);
    expect(manifest).toMatchObject({ name: CLINIC, short_name: "Marmara" });
  });
});

describe("a further landing page", () => {
  it.each([`/${PAGE}`, `/${PAGE}/contact`, "/further-address", "/further-address/prices"])(
    "has the address %s, with its own title and one canonical address, once in the sitemap",
    (path) => {
      const { title, description, canonical, robots } = rendered(path);
      expect({ title, description }).toEqual(HEAD);
      expect([canonical, robots]).toEqual([`${BASE}/${PAGE}`, "index, follow"]);
      expect(textsOf(path, "h1")).toEqual([HERO.title]);
      expect(sitemap().match(/further-page|further-address/g)).toEqual([PAGE]);
    },
  );

  it("shows the treatments that its price list has a price for, at these prices, and then its offers", () => {
    expect(textsOf(`/${PAGE}`, "#premium-treatments li h3")).toEqual(["Zirconia crowns", "Further treatment"]);
    expect(textsOf(`/${PAGE}`, "#premium-treatments li strong")).toEqual(["$210", "$3,100"]);
    expect(textsOf(`/${PAGE}`, "#special-offers h3")).toEqual(["Further offer"]);
    expect(textsOf("/dental-implants", "#special-offers h3")).not.toContain("Further offer");
    const sections = [...pageAt(`/${PAGE}`).querySelectorAll("main section[id]")].map(({ id }) => id);
    expect(sections.indexOf("special-offers")).toBe(sections.indexOf("premium-treatments") + 1);
  });

  it("adds up what nobody can do without, once each part has its price", () => {
    expect(textsOf("/", "#premium-treatments li")[0]).toContain("With its abutment and a zirconia crown £395");
    expect(textsOf("/dental-implants", "#premium-treatments li")[0]).toContain("The implant on its own;");
  });

  it("has the form of every landing page, and chats with tags of its own", () => {
    const fieldsAt = (path: string) =>
      [...pageAt(path).querySelectorAll("#contact-form [name]")].map((field) => field.getAttribute("name"));
    expect(fieldsAt(`/${PAGE}`)).toEqual(fieldsAt("/dental-implants"));
    expect(fieldsAt(`/${PAGE}`)).toContain("email");
    const chats = [...pageAt(`/${PAGE}`).querySelectorAll<HTMLElement>("[data-chat-source]")];
    expect(chats.filter(({ dataset }) => !dataset.chatSource?.endsWith(`-${PAGE}`))).toEqual([]);
    expect(chats.length).toBeGreaterThan(5);
  });
});

describe("a further treatment", () => {
  const OWN = "/treatments/further-treatment";

  it("is a card of the home page", () => {
    expect(textsOf("/", "#premium-treatments li h3").at(-1)).toBe("Further treatment");
  });

  it("has a page of its own, in the currency of each price list that has a price for it", () => {
    expect(textsOf(OWN, "main strong")[0]).toBe("£2,400");
    expect(textsOf(`/${PAGE}${OWN}`, "main strong")[0]).toBe("$3,100");
    expect(rendered(`/${PAGE}${OWN}`)).toMatchObject({
      canonical: BASE + OWN,
      description: expect.stringContaining("for $3,100 each"),
    });
    expect(sitemap().match(/treatments\/further-treatment/g)).toHaveLength(1);
    expect(textsOf(OWN, "#other-treatments h3")).toEqual(["Dental implants", "All-on-4"]);
  });

  it("is shared with the clinic's card until it has one of its own", () => {
    const shared = (cards: string[]) =>
      /"og:image" content="([^"]+)"/.exec(headOf(rendered(OWN), site.identity, new Set(cards)))?.[1];
    expect(shared(["treatments-all-on-4.jpg"])).toBe(`${BASE}/card.jpg`);
    const own = "treatments-further-treatment.jpg";
    expect(shared([own])).toBe(`${BASE}/cards/${own}`);
  });

  it("is left out where its price is left empty", () => {
    expect(documents.map(({ path }) => path)).not.toContain(`/dental-implants${OWN}`);
    expect(textsOf("/dental-implants", "#premium-treatments li h3")).not.toContain("Further treatment");
  });
});

it("a claim that is approved is stated in production, and brings no other claim of its text along", () => {
  const warranty = textsOf("/", "#premium-treatments dd").filter((fact) => fact === "15 year warranty");
  expect(warranty).toHaveLength(7);
  const [turkey] = textsOf("/", "#why-choose-turkey");
  expect(turkey).toContain("The implants and materials are brands that UK dentists use too.");
  expect(turkey).not.toContain("cost less");
});

it.each(["/", "/dental-implants", "/treatments/all-on-4"])("a dentist who is named is shown on %s", (path) => {
  const [card] = textsOf(path, "#dentists li");
  expect(card).toContain("FPFixture PersonDentist of the testsReads your X-ray.Registration TEST-1 · Check the number");
  expect(pageAt(path).querySelector("#dentists img")).toBeNull();
});
