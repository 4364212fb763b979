/** For tests only: pages as they are pre-rendered. */
import { preRender } from "./preRender";
import { NOT_FOUND, ROUTES, routeOf } from "./routes";

const rendered = new Map<string, Document>();

const keyOf = (path: string, samples: boolean) => `${routeOf(path).canonical} ${samples}`;

/** Renders every page, with its sample content and without; before the first `pageAt`. */
export async function preparePages(): Promise<void> {
  for (const { path } of [...ROUTES, NOT_FOUND]) {
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
    throw new Error("Call preparePages first");
  }
  return page;
}
