/** For tests only: pages as they are pre-rendered. */
import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router-dom";
import { loadLateBlocks } from "@/components/late";
import { SamplesContext } from "@/lib/settings";
import { App } from "./App";
import { loadPage } from "./pageModules";
import { NOT_FOUND, ROUTES, routeOf } from "./routes";

const rendered = new Map<string, Document>();

/** Fetches the code of every page and late block; before the first `pageAt`. */
export async function preparePages(): Promise<void> {
  for (const { page } of [...ROUTES, NOT_FOUND]) {
    await loadPage(page);
  }
  await loadLateBlocks();
}

/** The page of a path, with its sample content or without. */
export function pageAt(path: string, samples = true): Document {
  const { page } = routeOf(path);
  const key = `${page} ${samples}`;
  const before = rendered.get(key);
  if (before) {
    return before;
  }
  const html = renderToString(
    <SamplesContext value={samples}>
      <StaticRouter location={path}>
        <App />
      </StaticRouter>
    </SamplesContext>,
  );
  const fresh = new DOMParser().parseFromString(html, "text/html");
  rendered.set(key, fresh);
  return fresh;
}
