import { beforeAll, describe, expect, it } from "vitest";
import { claims as placed } from "#content/claims.yaml";
import { named } from "#content/claims.yaml?named";
import { pageAt, preparePages } from "./pageFixture";
import { ROUTES } from "./routes";
import { INSTEAD } from "./sectionTargets";

beforeAll(preparePages, 60_000);

const claims = { ...placed, ...named };

describe("the sections that paths lead to", () => {
  const led = ROUTES.flatMap(({ path, section }) => (section ? [[path, section] as const] : []));

  it.each(led)("%s finds %s on its page, once", (path, section) => {
    expect(pageAt(path).querySelectorAll(`[id="${section}"]`)).toHaveLength(1);
  });

  it.each(led)("%s finds %s, or what stands there instead, without samples too", (path, section) => {
    const page = pageAt(path, false);
    const instead = INSTEAD[section];
    expect(page.querySelectorAll(`[id="${section}"]`)).toHaveLength(instead === undefined ? 1 : 0);
    expect(page.querySelectorAll(`[id="${instead ?? section}"]`)).toHaveLength(1);
  });
});

describe.each(["/", "/dental-implants"])("the figures of %s", (path) => {
  it("name as their evidence only places of the page, or addresses", () => {
    for (const [id, { evidence }] of Object.entries(claims)) {
      if (evidence?.startsWith("#")) {
        expect(pageAt(path).querySelector(evidence), id).not.toBeNull();
      }
    }
  });
});

describe.each(["/", "/dental-implants"])("the header of %s", (path) => {
  it.each([true, false])("and the row below the hero lead only to places of the page (samples: %s)", (samples) => {
    const page = pageAt(path, samples);
    const links = [...page.querySelectorAll("nav[aria-label=Sections] a")].map((a) => a.getAttribute("href") ?? "");
    expect(links.filter((link) => link === "/before-you-decide")).toHaveLength(1);
    expect(links.length).toBe(samples ? 9 : 8);
    for (const link of links.filter((place) => place.startsWith("#"))) {
      expect(page.querySelector(link), link).not.toBeNull();
    }
  });

  it("never repeats an id", () => {
    const ids = [...pageAt(path).querySelectorAll("[id]")].map(({ id }) => id);
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
  });
});

/** The line of languages: once beside the form, once in the footer. */
it.each(["/", "/dental-implants"])("%s offers the chat in seven more languages beside its form", (path) => {
  const lists = [...pageAt(path).querySelectorAll('ul[aria-label="WhatsApp in your language"]')];
  expect(lists.map((list) => list.querySelectorAll("a[lang]").length)).toEqual([7, 7]);
  expect(lists.map((list) => list.closest("footer") !== null)).toEqual([false, true]);
});

describe.each(["/", "/dental-implants"])("the Sample tags of %s", (path) => {
  it("stand at groups, not at their items", () => {
    const tags = [...pageAt(path).querySelectorAll("span")].filter(({ textContent }) => textContent === "Sample");
    expect(tags.length).toBeGreaterThanOrEqual(8);
    expect(tags.length).toBeLessThanOrEqual(16);
    const groups = tags.map((tag) => tag.closest("section[id], footer, aside, section")).filter(Boolean);
    const most = Math.max(...groups.map((group) => groups.filter((other) => other === group).length));
    // Why Turkey: the claims with its lines, and the table.
    expect(most).toBeLessThanOrEqual(2);
    expect(tags.filter((tag) => tag.closest("figure, article, table, h2, h3"))).toEqual([]);
  });
});

describe("without samples", () => {
  it.each(["/", "/dental-implants"])("%s has no band without content", (path) => {
    const sections = [...pageAt(path, false).querySelectorAll("main section[id]")];
    const bare = sections.filter(({ childElementCount }) => childElementCount === 0).map(({ id }) => id);
    expect(bare).toEqual(path === "/" ? ["special-offers", "special-promotions"] : []);
    for (const section of sections.filter(({ id }) => !bare.includes(id))) {
      const { id, textContent } = section;
      expect((textContent?.length ?? 0) > 150 || section.querySelector("button, img") !== null, id).toBe(true);
    }
  });

  it.each(["/", "/dental-implants"])("%s strikes no price through", (path) => {
    expect(pageAt(path).querySelector("s")).not.toBeNull();
    const page = pageAt(path, false);
    expect(page.querySelector("s")).toBeNull();
    expect(page.body.textContent).not.toMatch(/You save|% off|Before [£€]/);
  });

  it.each(["/", "/dental-implants"])("%s keeps to what is proven in its reasons, journey and questions", (path) => {
    const page = pageAt(path, false);
    const said = ["#why-choose-us", "#patient-journey", "#questions", "#why-choose-turkey"]
      .map((place) => page.querySelector(place)?.textContent)
      .join(" ");
    expect(said).not.toMatch(/same person|by video|serial numbers|under one roof|no visa|four hours|coordinator/i);
    expect(page.querySelectorAll("#why-choose-us li h3")).toHaveLength(4);
    expect(page.querySelectorAll("#patient-journey ol > li")).toHaveLength(4);
    expect(
      [...page.querySelectorAll("#why-choose-us p, #questions p, #patient-journey p")].filter(
        (it) => it.textContent === "",
      ),
    ).toEqual([]);
  });

  it.each(["/", "/dental-implants", "/thank-you", "/nowhere"])(
    "%s states no claim of the register, and nothing marked as a sample",
    (path) => {
      const page = pageAt(path, false);
      const stated = `${page.body.textContent}`.replace(/\s+/g, " ");
      for (const [id, { words, value }] of Object.entries(claims)) {
        expect(stated, id).not.toContain(words.replace("{value}", value ?? ""));
      }
      expect(stated).not.toMatch(/15.year|same brands|cost less|sample|4\.7 rating|100,000\+|30\+ dentists/i);
      expect(stated).not.toMatch(/free x-ray|placeholder company|your dentist's name/i);
    },
  );

  it("no figure of the content is left out with them: each stands in the places it names", () => {
    const stated = (path: string) => pageAt(path).body.textContent ?? "";
    const [home, landing, decide] = ["/", "/dental-implants", "/before-you-decide"].map(stated);
    for (const [id, { words, value, places }] of Object.entries(claims)) {
      const claim = words.replace("{value}", value ?? "");
      const page = places.length === 0 ? `${landing}${decide}` : home;
      expect(places.includes("hero-landing") ? landing : page, id).toContain(claim);
    }
    const clinic = pageAt("/").querySelector("#clinic-showcase")?.textContent;
    expect(clinic).toMatch(/50K\+ patients treated.*30\+ dentists.*15 languages/);
  });
});
