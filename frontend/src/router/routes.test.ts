import { describe, expect, it } from "vitest";
import { TAKEN } from "../../scripts/content/folder";
import { isUnlisted, ROUTES, routeOf } from "./routes";

const sectionsUnder = (root: string) =>
  Object.fromEntries(
    ROUTES.filter(({ path }) => path.startsWith(`${root}/`)).map(({ path, section }) => [
      path.slice(root.length + 1),
      section,
    ]),
  );

describe("the route table", () => {
  it("shows the home page under its nine paths, each with its section", () => {
    const home = ROUTES.filter(({ page }) => page === "home").map(({ path, section }) => [path, section]);
    expect(home).toEqual([
      ["/", undefined],
      ["/pricing", "premium-treatments"],
      ["/offers", "special-offers"],
      ["/testimonials", "video-testimonials"],
      ["/comparison", "price-comparison"],
      ["/journey", "patient-journey"],
      ["/clinic", "clinic-showcase"],
      ["/results", "before-after-gallery"],
      ["/promotions", "special-promotions"],
    ]);
  });

  it.each(["/dental-implants", "/best-dental-implants-turkey"])("gives %s its nine sub-paths", (root) => {
    expect(routeOf(root)).toMatchObject({ page: "landing" });
    expect(sectionsUnder(root)).toEqual({
      clinic: "clinic-showcase",
      implants: "premium-implants",
      results: "before-after-gallery",
      testimonials: "patient-testimonials",
      prices: "premium-treatments",
      pricing: "why-choose-turkey",
      "why-us": "why-choose-us",
      journey: "patient-journey",
      contact: "contact-form",
    });
  });

  it("has a page of its own for privacy, terms and what to know before deciding, which search engines may list", () => {
    for (const [path, page] of [
      ["/privacy", "text"],
      ["/terms", "text"],
      ["/before-you-decide", "beforeYouDecide"],
    ] as const) {
      expect(routeOf(path)).toMatchObject({ path, page, canonical: path });
      expect(isUnlisted(page)).toBe(false);
    }
  });

  it("leaves no address of the other pages to landing pages", () => {
    const others = ROUTES.filter(
      ({ path, page }) => page !== "landing" && page !== "text" && path !== "/" && !path.slice(1).includes("/"),
    );
    expect(others.map(({ path }) => path.slice(1)).filter((name) => !TAKEN.has(name))).toEqual([]);
    expect(TAKEN.has("treatments")).toBe(true);
    expect(others.length).toBeGreaterThan(8);
  });

  it.each([
    ["", "home", ""],
    ["/dental-implants", "landing", "/dental-implants"],
    ["/best-dental-implants-turkey", "landing", "/dental-implants"],
  ])("has a page for each treatment below %s/, with the prices of %s", (root, list, linked) => {
    const pages = ROUTES.filter(({ path }) => path.startsWith(`${root}/treatments/`));
    expect(pages.map(({ path }) => path.slice(`${root}/treatments/`.length)).join(" ")).toBe(
      "dental-implants zirconia-crowns zygomatic-implants all-on-4 all-on-6 full-mouth-implants",
    );
    expect(routeOf(`${root}/treatments/all-on-4`)).toEqual({
      path: `${root}/treatments/all-on-4`,
      page: "treatment",
      treatment: { id: "all-on-4", list, root: linked },
      canonical: "/treatments/all-on-4",
    });
  });

  it("forgives a trailing slash", () => {
    expect(routeOf("/thank-you/").page).toBe("thankYou");
  });

  it("leads everything else to the not-found page", () => {
    expect(routeOf("/dental-implants/nothing").page).toBe("notFound");
    expect(routeOf("/PRICING").page).toBe("notFound");
    expect(routeOf("/treatments/wisdom-teeth").page).toBe("notFound");
  });
});
