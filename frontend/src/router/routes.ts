/** The route table: what the router shows, what is pre-rendered, and which section a path scrolls to. */
import type { Page, PageName } from "@/pages/heads";
import { type Landing, landings } from "@/pages/landings";
import { type TreatmentPlace, treatmentPath, treatmentsIn } from "@/pages/treatmentPlaces";

export type Route = Page & {
  path: string;
  /** The section to scroll to after arriving. */
  section?: string;
  /** The canonical path for search engines. */
  canonical: string;
};

const HOME_SECTIONS: Record<string, string> = {
  "/pricing": "premium-treatments",
  "/offers": "special-offers",
  "/testimonials": "video-testimonials",
  "/comparison": "price-comparison",
  "/journey": "patient-journey",
  "/clinic": "clinic-showcase",
  "/results": "before-after-gallery",
  "/promotions": "special-promotions",
};

const LANDING_SECTIONS: Record<string, string> = {
  clinic: "clinic-showcase",
  implants: "premium-implants",
  results: "before-after-gallery",
  testimonials: "patient-testimonials",
  prices: "premium-treatments",
  pricing: "why-choose-turkey",
  "why-us": "why-choose-us",
  journey: "patient-journey",
  contact: "contact-form",
};

function landingRoutes(landing: Landing): Route[] {
  const page = { page: "landing", landing, canonical: `/${landing.name}` } as const;
  return [landing.name, ...landing.also].flatMap((root): Route[] => [
    { ...page, path: `/${root}` },
    ...Object.entries(LANDING_SECTIONS).map(([part, section]) => ({
      ...page,
      path: `/${root}/${part}`,
      section,
    })),
  ]);
}

const HOME_LIST = "home";

/** The pages of a price list's treatments, under each of `roots`. With a price at home too, that page is the canonical one. */
function treatmentRoutes(list: string, roots: readonly string[]): Route[] {
  const [first = ""] = roots;
  const atHome = treatmentsIn(HOME_LIST);
  return treatmentsIn(list).flatMap((id) => {
    const treatment: TreatmentPlace = { id, list, root: first };
    const canonical = treatmentPath(atHome.includes(id) ? "" : first, id);
    return roots.map(
      (root): Route => ({ page: "treatment", treatment, path: treatmentPath(root, id), canonical }),
    );
  });
}

export const ROUTES: readonly Route[] = [
  { path: "/", page: "home", canonical: "/" },
  ...Object.entries(HOME_SECTIONS).map(
    ([path, section]): Route => ({ path, page: "home", section, canonical: "/" }),
  ),
  { path: "/thank-you", page: "thankYou", canonical: "/thank-you" },
  ...landings.flatMap(landingRoutes),
  ...treatmentRoutes(HOME_LIST, [""]),
  ...landings.flatMap(({ name, also, prices }) =>
    treatmentRoutes(
      prices,
      [name, ...also].map((root) => `/${root}`),
    ),
  ),
  { path: "/privacy", page: "privacy", canonical: "/privacy" },
  { path: "/terms", page: "terms", canonical: "/terms" },
  { path: "/data-complaint", page: "complaint", canonical: "/data-complaint" },
];

/** Shown for any other path. */
export const NOT_FOUND: Route = { path: "*", page: "notFound", canonical: "/404" };

/** The route of a path, ignoring a trailing slash. */
export function routeOf(pathname: string): Route {
  const path = pathname.replace(/\/+$/, "") || "/";
  return ROUTES.find((route) => route.path === path) ?? NOT_FOUND;
}

/** Pages that search engines should not list. */
export function isUnlisted(page: PageName): boolean {
  return page === "thankYou" || page === "notFound";
}
