/** The code of each page: fetched on its own, and shown at once when it is already here. */
import { type ComponentType, lazy } from "react";
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

/** A thenable that answers on the spot: React renders what is already loaded without suspending. */
function fromHere(page: Page): Promise<{ default: Page }> {
  const answered = {
    // biome-ignore lint/suspicious/noThenProperty: being a thenable is its purpose.
    then: (use: (module: { default: Page }) => unknown) => use({ default: page }),
  };
  return answered as unknown as Promise<{ default: Page }>;
}

function page(name: PageName): Page {
  return lazy(() => {
    const loaded = here.get(name);
    return loaded ? fromHere(loaded) : LOADERS[name]().then((found) => ({ default: found }));
  });
}

export const PAGES: Record<PageName, Page> = {
  home: page("home"),
  landing: page("landing"),
  thankYou: page("thankYou"),
  notFound: page("notFound"),
};
