import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router-dom";
import { lastUpdated, name, site } from "#content/clinic.yaml";
import { testimonials } from "#content/testimonials.yaml";
import { loadLateBlocks } from "@/components/late";
import { SamplesContext } from "@/lib/settings";
import { embedOrigins } from "@/lib/videos";
import { heads } from "@/pages/heads";
import { structuredData } from "@/pages/structuredData";
import { App } from "@/router/App";
import { loadPage } from "@/router/pageModules";
import { isUnlisted, NOT_FOUND, ROUTES, type Route } from "@/router/routes";

export interface Document {
  path: string;
  /** The page's component file, for finding its assets. */
  page: Route["page"];
  title: string;
  description: string;
  /** The whole address that search engines should know the page by. */
  canonical: string;
  robots: string;
  structuredData: object | null;
  html: string;
}

async function documentOf(route: Route, samples: boolean, base: string): Promise<Document> {
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
    canonical: base + route.canonical,
    robots,
    structuredData: structuredData(route.page, base, route.canonical),
    html,
  };
}

/**
 * Every page of the route table as HTML, the not-found page last with the path "*"; with sample content or without.
 * `base`: the site's own address, without a trailing slash.
 */
export function renderAll(samples: boolean, base: string): Promise<Document[]> {
  return Promise.all([...ROUTES, NOT_FOUND].map((route) => documentOf(route, samples, base)));
}

/** What the files for crawlers and home screens are written from. */
export const identity = { site, name: `${name.first} ${name.rest}`, shortName: name.first, lastUpdated };

/** The video services that the server's content security policy must let in. */
export const embeds = embedOrigins(testimonials.map(({ video }) => video));
