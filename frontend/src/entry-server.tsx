import { lastUpdated, name, site } from "#content/clinic.yaml";
import { testimonials } from "#content/testimonials.yaml";
import { fullName } from "@/content/clinicName";
import { COUNTRIES_MARK } from "@/features/lead-form/CountrySelect";
import { countryOptions } from "@/features/lead-form/countryOptions";
import { DEFAULT_SETTINGS, NUMBER_TOKENS } from "@/lib/pageSettings";
import { REFERENCE_TOKEN } from "@/lib/receipt";
import { embedOrigins } from "@/lib/videos";
import { headOf } from "@/pages/heads";
import { plainPages } from "@/pages/plain/plainPages";
import { structuredData } from "@/pages/structuredData";
import { preRender } from "@/router/preRender";
import { isUnlisted, NOT_FOUND, ROUTES, type Route } from "@/router/routes";

export interface Document {
  path: string;
  /** The kind of page, for finding its scripts. */
  page: Route["page"];
  title: string;
  description: string;
  /** The canonical address for search engines. */
  canonical: string;
  robots: string;
  structuredData: object | null;
  html: string;
}

/** What a page's HTML depends on: not on which of its paths it is shown under. */
function contentOf(route: Route): unknown {
  switch (route.page) {
    case "landing":
      return route.landing;
    case "treatment":
      return route.treatment;
    default:
      return route.page;
  }
}

/** Renders each page once, whatever the number of its paths. */
function renderOnce(samples: boolean): (route: Route) => Promise<string> {
  const rendered = new Map<unknown, Promise<string>>();
  return (route) => {
    const content = contentOf(route);
    const html = rendered.get(content) ?? preRender(route === NOT_FOUND ? "/404" : route.path, samples);
    rendered.set(content, html);
    return html;
  };
}

async function documentOf(route: Route, html: string, base: string): Promise<Document> {
  const robots = isUnlisted(route.page) ? "noindex" : "index, follow";
  return {
    path: route.path,
    page: route.page,
    ...(await headOf(route)),
    canonical: base + route.canonical,
    robots,
    structuredData: structuredData(route, base, route.canonical),
    html,
  };
}

/**
 * Every page of the route table as HTML, the not-found page last with the path "*"; with sample content or without.
 * `base`: the site's own address, without a trailing slash.
 */
export function renderAll(samples: boolean, base: string): Promise<Document[]> {
  const render = renderOnce(samples);
  return Promise.all(
    [...ROUTES, NOT_FOUND].map(async (route) => documentOf(route, await render(route), base)),
  );
}

/** The pages that show a reference, with a token in its place. */
export function renderReceipts(samples: boolean, base: string): Promise<Document[]> {
  return Promise.all(
    ROUTES.filter(({ page }) => page === "thankYou" || page === "complaint").map(async (route) => {
      const html = await preRender(`${route.path}?reference=${REFERENCE_TOKEN}`, samples);
      return { ...(await documentOf(route, html, base)), robots: "noindex" };
    }),
  );
}

/** Placeholder numbers, which no built page may hold, and the tokens that it holds instead. */
export const numbers = {
  placeholders: [
    DEFAULT_SETTINGS.clinicPhone,
    DEFAULT_SETTINGS.clinicPhoneDigits,
    DEFAULT_SETTINGS.whatsappNumber,
  ],
  tokens: NUMBER_TOKENS,
};

/** What the server writes into the pages of `renderReceipts`. */
export const referenceToken = REFERENCE_TOKEN;

export { plainPages };

/** Data for the files for crawlers and home screens. */
export const identity = { site, name: fullName(name), shortName: name.first, lastUpdated };

/** The video services that the server's content security policy must allow. */
export const embeds = embedOrigins(testimonials.map(({ video }) => video));

/** What the build writes into pages in place of a mark: the native select's countries. */
export const countries = { mark: COUNTRIES_MARK, options: countryOptions() };
