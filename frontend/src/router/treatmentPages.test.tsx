import { beforeAll, describe, expect, it } from "vitest";
import { pages } from "#content/treatments.yaml?pages";
import { pageAt, prepareTreatments } from "./pageFixture";
import { ROUTES } from "./routes";

beforeAll(prepareTreatments, 60_000);

const PATHS = ROUTES.filter(({ page }) => page === "treatment").map(({ path }) => path);
const textsOf = (path: string, selector: string, samples = true) =>
  [...pageAt(path, samples).querySelectorAll(selector)].map(({ textContent }) => textContent ?? "");

describe.each(PATHS)("the page %s", (path) => {
  const id = path.split("/").at(-1) ?? "";

  it("has one heading of its own, and a title that no other treatment has", () => {
    expect(textsOf(path, "h1")).toEqual([pages[id]?.heading]);
    const same = Object.values(pages).filter(
      ({ title, description }) => title === pages[id]?.title || description === pages[id]?.description,
    );
    expect(same).toHaveLength(1);
  });

  it("leads only to places and pages that there are", () => {
    const page = pageAt(path);
    const links = [...page.querySelectorAll("a[href^='#'], main a[href^='/']")];
    const places = links.map((link) => link.getAttribute("href") ?? "");
    expect(places.filter((place) => place.startsWith("#")).length).toBeGreaterThan(4);
    for (const place of places) {
      const found = place.startsWith("#") ? page.querySelector(place) : ROUTES.some((r) => r.path === place);
      expect(found, place).toBeTruthy();
    }
  });

  it("never repeats an id", () => {
    const ids = [...pageAt(path).querySelectorAll("[id]")].map((element) => element.id);
    expect(ids.filter((one, place) => ids.indexOf(one) !== place)).toEqual([]);
  });

  it("says from where a chat was opened", () => {
    const tags = [...pageAt(path).querySelectorAll<HTMLElement>("[data-chat-source]")].map(
      ({ dataset }) => dataset.chatSource,
    );
    const name = path.replace("/best-dental-implants-turkey/", "/dental-implants/").slice(1).replaceAll("/", "-");
    expect(new Set(tags)).toEqual(
      new Set(
        ["header", "hero-section", "contact-form", "questions", "footer", "sticky-footer"].map((at) => `${at}-${name}`),
      ),
    );
  });

  it("states no claim without evidence, and has no band without content", () => {
    const stated = textsOf(path, "body", false).join("");
    expect(stated).not.toMatch(/15.year|30\+ dentists|sample/i);
    expect(stated).not.toMatch(/You save|% off|same person|by video|serial numbers|five to seven days/i);
    expect(textsOf(path, "#contact-form h2", false)).toEqual(["Your free consultation"]);
    for (const section of pageAt(path, false).querySelectorAll("main section[id]")) {
      expect(section.textContent?.length, section.id).toBeGreaterThan(150);
    }
  });
});

it("the page of a treatment has price, parts, steps and questions, then the form", () => {
  const path = "/dental-implants/treatments/all-on-4";
  expect(textsOf(path, "main section[id] h2")).toEqual([
    "Who treats you",
    "What the price includes, and what it doesn't",
    "What happens, step by step",
    "Before you decide",
    "Other treatments",
    "How we work with you",
    "Unlock Today's Offer",
    "What people ask about this treatment",
  ]);
  expect(textsOf(path, "#in-the-price h3")).toEqual(["Included €2,999 per jaw", "Not included"]);
  expect(textsOf(path, "#other-treatments h3")).toEqual(["All-on-6", "Full mouth implants", "Zygomatic implants"]);
  expect(textsOf(path, "#contact-form [name=email]")).toHaveLength(1);
});

it("risks come with the treatment's page, in its own words, and lead to the page that says more", () => {
  const first = (id: string) => textsOf(`/treatments/${id}`, "#before-you-decide details[open]")[0];
  expect(first("dental-implants")).toMatch(/about 96 of 100 implants were still in place after ten years/);
  expect(first("all-on-6")).toBe(first("dental-implants"));
  expect(first("zirconia-crowns")).toMatch(/about 92 of 100 zirconia crowns/);
  expect(first("zygomatic-implants")).toMatch(/about 95 of 100 zygomatic implants.*inflamed sinus/);
  expect(first("all-on-4")).toMatch(/about 99 of 100 implants.*after three years/);
  for (const path of PATHS) {
    const section = textsOf(path, "#before-you-decide", false).join("");
    expect(section, path).toMatch(/Smoking|sound root/);
    expect(textsOf(path, "#before-you-decide a[href='/before-you-decide']"), path).toHaveLength(1);
  }
});

it("prices are those of the list, in its currency, on every page", () => {
  const first = (path: string) => textsOf(path, "main strong")[0];
  expect(first("/treatments/all-on-6")).toBe("£3,599");
  expect(first("/dental-implants/treatments/all-on-6")).toBe("€4,999");
  expect(textsOf("/treatments/dental-implants", "#in-the-price li")).toContain(
    "Abutment and crown: a zirconia crown is £160",
  );
});

it.each(["/", "/dental-implants"])("every card of %s leads to its treatment's page", (path) => {
  const root = path === "/" ? "" : path;
  const links = [...pageAt(path).querySelectorAll("#premium-treatments h3 a")];
  expect(links.map((link) => link.getAttribute("href"))).toEqual(
    Object.keys(pages).map((id) => `${root}/treatments/${id}`),
  );
});
