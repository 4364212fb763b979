/** The code of each page: fetched on its own, and shown at once when it is already here. */
import { type ComponentType, lazy } from "react";
import { onTheSpot } from "@/lib/onTheSpot";
import type { PageName } from "@/pages/heads";

type Page = ComponentType;

const LOADERS: Record<PageName, () => Promise<Page>> = {
  home: () => import("@/pages/HomePage").then(({ HomePage }) => HomePage),
  landing: () => import("@/pages/LandingPage").then(({ LandingPage }) => LandingPage),
  thankYou: () => import("@/pages/ThankYouPage").then(({ ThankYouPage }) => ThankYouPage),
  privacy: () => import("@/pages/PrivacyPage").then(({ PrivacyPage }) => PrivacyPage),
  terms: () => import("@/pages/TermsPage").then(({ TermsPage }) => TermsPage),
  complaint: () => import("@/pages/ComplaintPage").then(({ ComplaintPage }) => ComplaintPage),
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

export const PAGES = Object.fromEntries(
  (Object.keys(LOADERS) as PageName[]).map((name) => [name, page(name)]),
) as Record<PageName, Page>;
