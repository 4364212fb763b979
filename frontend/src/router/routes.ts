/** The route table: what the router shows, what is pre-rendered, and which section a path scrolls to. */

import { type Landing, landings, texts } from "@/pages/contentPages";
import type { Page, PageName } from "@/pages/heads";
import { type TreatmentPlace, treatmentPath, treatmentsIn } from "@/pages/treatmentPlaces";
import { HOME_SECTIONS, LANDING_SECTIONS } from "./sectionTargets";

export type Route = Page & {
  path: string;
  /** The section to scroll to after arriving. */
  section?: string;
  /** The canonical path for search engines. */
  canonical: string;
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
    return roots.map((root): Route => ({ page: "treatment", treatment, path: treatmentPath(root, id), canonical }));
  });
}

export const ROUTES: readonly Route[] = [
  { path: "/", page: "home", canonical: "/" },
  ...Object.entries(HOME_SECTIONS).map(([path, section]): Route => ({ path, page: "home", section, canonical: "/" })),
  { path: "/thank-you", page: "thankYou", canonical: "/thank-you" },
  ...landings.flatMap(landingRoutes),
  ...treatmentRoutes(HOME_LIST, [""]),
  ...landings.flatMap(({ name, also, prices }) =>
    treatmentRoutes(
      prices,
      [name, ...also].map((root) => `/${root}`),
    ),
  ),
  ...Object.keys(texts).map((text): Route => ({ path: `/${text}`, page: "text", text, canonical: `/${text}` })),
  { path: "/before-you-decide", page: "beforeYouDecide", canonical: "/before-you-decide" },
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
