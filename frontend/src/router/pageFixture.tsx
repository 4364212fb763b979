/** For tests only: pages as they are pre-rendered. */
import { preRender } from "./preRender";
import { NOT_FOUND, ROUTES, type Route, routeOf } from "./routes";

const rendered = new Map<string, Document>();

/** A treatment has one canonical page, and others with the prices of landing pages. */
function keyOf(path: string, samples: boolean): string {
  const route = routeOf(path);
  return `${route.page === "treatment" ? route.treatment.root : ""}${route.canonical} ${samples}`;
}

/** Renders every page but the treatments', with its sample content and without; before the first `pageAt`. */
export const preparePages = () => prepare(({ page }) => page !== "treatment");

/** Renders the treatments' pages, and those that lead to them. */
export const prepareTreatments = () => prepare(({ page }) => ["home", "landing", "treatment"].includes(page));

async function prepare(wanted: (route: Route) => boolean): Promise<void> {
  for (const { path } of [...ROUTES, NOT_FOUND].filter(wanted)) {
    for (const samples of [true, false]) {
      const key = keyOf(path, samples);
      if (!rendered.has(key)) {
        const html = await preRender(path === NOT_FOUND.path ? "/404" : path, samples);
        rendered.set(key, new DOMParser().parseFromString(html, "text/html"));
      }
    }
  }
}

/** The page of a path, with its sample content or without. */
export function pageAt(path: string, samples = true): Document {
  const page = rendered.get(keyOf(path, samples));
  if (!page) {
    throw new Error("Prepare the pages first");
  }
  return page;
}
