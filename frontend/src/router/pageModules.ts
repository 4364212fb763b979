/** The code of each page: fetched on its own, and shown at once when it is already here. */
import { type ComponentType, lazy } from "react";
import { onTheSpot } from "@/lib/onTheSpot";
import type { PageName } from "@/pages/heads";

type Page = ComponentType;

const LOADERS: Record<PageName, () => Promise<Page>> = {
  home: () => import("@/pages/HomePage").then(({ HomePage }) => HomePage),
  landing: () => import("@/pages/LandingPage").then(({ LandingPage }) => LandingPage),
  thankYou: () => import("@/pages/ThankYouPage").then(({ ThankYouPage }) => ThankYouPage),
  notFound: () => import("@/pages/NotFoundPage").then(({ NotFoundPage }) => NotFoundPage),
};

const here = new Map<PageName, Page>();

/** Fetches a page's code, so that rendering it does not wait. */
export async function loadPage(name: PageName): Promise<void> {
  if (!here.has(name)) {
    here.set(name, await LOADERS[name]());
  }
}

function page(name: PageName): Page {
  return lazy(() => {
    const loaded = here.get(name);
    return loaded ? onTheSpot({ default: loaded }) : LOADERS[name]().then((found) => ({ default: found }));
  });
}

export const PAGES: Record<PageName, Page> = {
  home: page("home"),
  landing: page("landing"),
  thankYou: page("thankYou"),
  notFound: page("notFound"),
};
