// @vitest-environment jsdom
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { type ChangedSite, changedSite } from "./changedSite.ts";
import { headOf } from "./head.mjs";
import { listedAddresses, siteFiles } from "./siteFiles.mjs";

const BASE = "https://clinic.example";
const NAME = "further-page";
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
  registration: "TEST-1",
  languages: ["English", "Turkish"],
  portrait: null,
  consent: null,
};

// biome-ignore lint/suspicious/noExplicitAny: what a marketer edits has no type.
function edit(folder: string, file: string, change: (content: any) => void): void {
  const path = join(folder, file);
  const content = parse(readFileSync(path, "utf8"), { schema: "core" });
  change(content);
  writeFileSync(path, stringify(content));
}

function addContent(folder: string): void {
  edit(folder, "treatments.yaml", ({ treatments }) => {
    treatments.push({
      ...treatments[1],
      id: "further-treatment",
      title: "Further treatment",
      image: "hollywood-smile",
    });
  });
  edit(folder, "prices.yaml", ({ lists }) => {
    const nothing = Object.fromEntries(Object.keys(lists.home.prices).map((id) => [id, null]));
    for (const name of Object.keys(lists)) {
      lists[name].prices["further-treatment"] = null;
    }
    lists.home.prices["further-treatment"] = { price: 2400, was: 3000 };
    const prices = {
      ...nothing,
      "zirconia-crowns": { price: 210 },
      "further-treatment": { price: 3100, was: 3600 },
    };
    lists.further = { currency: "USD", was_until: null, prices };
  });
  edit(folder, "claims.yaml", ({ claims }) => {
    const proof = {
      state: "approved",
      evidence: "https://clinic.example/warranty",
      checked_on: "2026-11-01",
    };
    Object.assign(claims.warranty, proof);
    Object.assign(claims["same-brands"], proof);
  });
  edit(folder, "offers.yaml", ({ offers }) => {
    const places = ["special-offers", NAME];
    offers.push({ ...offers[0], id: "further-offer", title: "Further offer", places, sample: false });
  });
  edit(folder, "dentists.yaml", (content) => {
    content.dentists = [FIXTURE];
  });
  const page = { also: ["further-address"], head: HEAD, hero: HERO, prices: "further" };
  writeFileSync(join(folder, `landing/${NAME}.yaml`), stringify(page));
}

type Rendered = Awaited<ReturnType<ChangedSite["site"]["renderAll"]>>[number];

let site: ChangedSite["site"];
let remove: ChangedSite["remove"] | undefined;
let documents: Rendered[];

beforeAll(async () => {
  ({ site, remove } = await changedSite(addContent));
  documents = await site.renderAll(false, BASE);
}, 60_000);

afterAll(() => remove?.());

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

describe("a further landing page", () => {
  it.each([`/${NAME}`, `/${NAME}/contact`, "/further-address", "/further-address/prices"])(
    "has the address %s, with its own title and one canonical address",
    (path) => {
      const { title, description, canonical, robots } = rendered(path);
      expect({ title, description }).toEqual(HEAD);
      expect([canonical, robots]).toEqual([`${BASE}/${NAME}`, "index, follow"]);
      expect(textsOf(path, "h1")).toEqual([HERO.title]);
    },
  );

  it("is in the sitemap, once", () => {
    const sitemap = siteFiles(BASE, site.identity, listedAddresses(documents))["sitemap.xml"];
    expect(sitemap.match(/further-page|further-address/g)).toEqual([NAME]);
  });

  it("shows the treatments that its price list has a price for, at these prices", () => {
    expect(textsOf(`/${NAME}`, "#premium-treatments li h3")).toEqual([
      "Zirconia crowns",
      "Further treatment",
    ]);
    expect(textsOf(`/${NAME}`, "#premium-treatments li strong")).toEqual(["$210", "$3,100"]);
    expect(textsOf(`/${NAME}`, "#price-comparison summary")).toEqual([
      "Zirconia crowns$210 per unit",
      "Further treatment$3,100 per unit",
    ]);
  });

  it("has its offers, after the prices", () => {
    expect(textsOf(`/${NAME}`, "#special-offers h3")).toEqual(["Further offer"]);
    const sections = [...pageAt(`/${NAME}`).querySelectorAll("main section[id]")].map(({ id }) => id);
    expect(sections.indexOf("special-offers")).toBe(sections.indexOf("premium-treatments") + 1);
  });

  it("has the form of every landing page, and chats with tags of its own", () => {
    const namesAt = (path: string) =>
      [...pageAt(path).querySelectorAll("#contact-form [name]")].map((field) => field.getAttribute("name"));
    expect(namesAt(`/${NAME}`)).toEqual(namesAt("/dental-implants"));
    expect(namesAt(`/${NAME}`)).toContain("email");
    const tags = [...pageAt(`/${NAME}`).querySelectorAll<HTMLElement>("[data-chat-source]")].map(
      ({ dataset }) => dataset.chatSource,
    );
    expect(new Set(tags)).toEqual(
      new Set(
        ["header", "hero-section", "why-choose-turkey", "questions", "footer", "sticky-footer"].map(
          (place) => `${place}-${NAME}`,
        ),
      ),
    );
  });
});

describe("a further treatment", () => {
  it("is a card and a row of the home page", () => {
    expect(textsOf("/", "#premium-treatments li h3").at(-1)).toBe("Further treatment");
    expect(textsOf("/", "#price-comparison summary").at(-1)).toBe("Further treatment£2,400 per unit");
    expect(textsOf("/", "#premium-treatments li strong").at(-1)).toBe("£2,400");
  });

  it("has a page of its own, in the currency of each price list that has a price for it", () => {
    expect(textsOf("/treatments/further-treatment", "main strong")[0]).toBe("£2,400");
    expect(textsOf(`/${NAME}/treatments/further-treatment`, "main strong")[0]).toBe("$3,100");
    expect(rendered(`/${NAME}/treatments/further-treatment`)).toMatchObject({
      canonical: `${BASE}/treatments/further-treatment`,
      description: expect.stringContaining("for $3,100 each"),
    });
    const sitemap = siteFiles(BASE, site.identity, listedAddresses(documents))["sitemap.xml"];
    expect(sitemap.match(/treatments\/further-treatment/g)).toHaveLength(1);
  });

  it("is shared with the clinic's card until it has one of its own", () => {
    const shared = (cards: string[]) => {
      const head = headOf(rendered("/treatments/further-treatment"), site.identity, new Set(cards));
      return /"og:image" content="([^"]+)"/.exec(head)?.[1];
    };
    expect(shared(["treatments-all-on-4.jpg"])).toBe(`${BASE}/card.jpg`);
    const own = "treatments-further-treatment.jpg";
    expect(shared([own])).toBe(`${BASE}/cards/${own}`);
  });

  it("leads to other treatments where they have a price", () => {
    const others = (path: string) => textsOf(path, "#other-treatments h3");
    expect(others("/treatments/further-treatment")).toEqual(["Dental implants", "All-on-4"]);
    expect(others(`/${NAME}/treatments/further-treatment`)).toEqual([]);
  });

  it("is left out where its price is left empty", () => {
    expect(documents.map(({ path }) => path)).not.toContain("/dental-implants/treatments/further-treatment");
    expect(textsOf("/dental-implants", "#premium-treatments li h3")).not.toContain("Further treatment");
    expect(textsOf("/dental-implants", "#price-comparison")[0]).not.toContain("Further treatment");
    expect(textsOf("/dental-implants", "#price-comparison")[0]).toContain("Zirconia crowns");
  });
});

describe("a claim that is approved", () => {
  it("is stated in production, also in the texts that name it", () => {
    expect(textsOf("/", "#premium-treatments dd").filter((fact) => fact === "15 year warranty")).toHaveLength(
      7,
    );
    expect(textsOf("/", "#why-choose-turkey")[0]).toContain(
      "The implants and materials are the same brands.",
    );
  });

  it("brings no other claim of its text along", () => {
    expect(textsOf("/", "#why-choose-turkey")[0]).not.toContain("cost less");
  });
});

describe("a further offer", () => {
  it("is on the pages that it names", () => {
    expect(textsOf("/", "#special-offers h3")).toContain("Further offer");
    expect(textsOf("/dental-implants", "#special-offers h3")).not.toContain("Further offer");
  });
});

describe("a dentist who is named", () => {
  it.each(["/", "/dental-implants", "/treatments/all-on-4"])(
    "is shown on %s, with initials drawn",
    (path) => {
      const [card] = textsOf(path, "#dentists li");
      expect(card).toBe("FPFixture PersonDentist of the testsRegistration TEST-1Speaks English, Turkish");
      expect(pageAt(path).querySelector("#dentists img")).toBeNull();
    },
  );
});
