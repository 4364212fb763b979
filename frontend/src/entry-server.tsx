import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router-dom";
import { loadLateBlocks } from "@/components/late";
import { SamplesContext } from "@/lib/useSamples";
import { heads } from "@/pages/heads";
import { App } from "@/router/App";
import { loadPage } from "@/router/pageModules";
import { isUnlisted, NOT_FOUND, ROUTES, type Route } from "@/router/routes";

export interface Document {
  path: string;
  /** The page's component file, for finding its assets. */
  page: Route["page"];
  title: string;
  description: string;
  canonical: string;
  robots: string;
  html: string;
}

async function documentOf(route: Route, samples: boolean): Promise<Document> {
  await loadPage(route.page);
  await loadLateBlocks();
  const location = route === NOT_FOUND ? "/404" : route.path;
  const html = renderToString(
    <SamplesContext value={samples}>
      <StaticRouter location={location}>
        <App />
      </StaticRouter>
    </SamplesContext>,
  );
  const robots = isUnlisted(route.page) ? "noindex" : "index, follow";
  return {
    path: route.path,
    page: route.page,
    ...heads[route.page],
    canonical: route.canonical,
    robots,
    html,
  };
}

/** Every page of the route table as HTML, the not-found page last with the path "*"; with sample content or without. */
export function renderAll(samples: boolean): Promise<Document[]> {
  return Promise.all([...ROUTES, NOT_FOUND].map((route) => documentOf(route, samples)));
}
