import { address, hours, lastUpdated, name, site } from "#content/clinic.yaml";
import { testimonials } from "#content/testimonials.yaml";
import { thankYou } from "#content/thank-you.yaml";
import { names } from "#content/treatments.yaml?names";
import { fullName } from "@/content/clinicName";
import { COUNTRIES_MARK } from "@/features/lead-form/CountrySelect";
import { countryOptions } from "@/features/lead-form/countryOptions";
import { DEFAULT_SETTINGS, NUMBER_TOKENS } from "@/lib/pageSettings";
import { CALL_TOKEN, DETAILS_TOKEN, REFERENCE_TOKEN } from "@/lib/receipt";
import { embedOrigins } from "@/lib/videos";
import { ANSWERS, AnswerPage } from "@/pages/AnswerPage";
import { headOf } from "@/pages/heads";
import { structuredData } from "@/pages/structuredData";
import { preRender } from "@/router/preRender";
import { isUnlisted, NOT_FOUND, ROUTES, type Route } from "@/router/routes";
import tokens from "@/styles/tokens.css?raw";

export interface Document {
  path: string;
  /** The kind of page, for finding its scripts. */
  page: Route["page"];
  /** Of a page of text: its name. */
  text: string | null;
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
    case "text":
      return route.text;
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

function documentOf(route: Route, html: string, base: string): Document {
  const robots = isUnlisted(route.page) ? "noindex" : "index, follow";
  return {
    path: route.path,
    page: route.page,
    text: route.page === "text" ? route.text : null,
    ...headOf(route),
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
  return Promise.all([...ROUTES, NOT_FOUND].map(async (route) => documentOf(route, await render(route), base)));
}

/** What the query of a page with a reference says besides, by the end of its file's name. */
const VARIANTS: Partial<Record<Route["page"], Record<string, string>>> = {
  thankYou: {
    "": "",
    "-details": `&details=${DETAILS_TOKEN}`,
    "-saved": "&details=saved",
  },
};

/** The pages that show a reference, with a token in its place; `file` is the name of each. */
export function renderReceipts(samples: boolean, base: string): Promise<(Document & { file: string })[]> {
  return Promise.all(
    ROUTES.flatMap((route) =>
      Object.entries(VARIANTS[route.page] ?? {}).map(async ([end, more]) => {
        const html = await preRender(`${route.path}?reference=${REFERENCE_TOKEN}${more}`, samples);
        const document = documentOf(route, html, base);
        return { ...document, robots: "noindex", file: route.path + end };
      }),
    ),
  );
}

/** The answers to forms that the browser itself posts, each in each of its states; `file` is the name of each. */
export function renderAnswers(samples: boolean, base: string): Promise<(Document & { file: string })[]> {
  const answers = (Object.keys(ANSWERS) as (keyof typeof ANSWERS)[]).flatMap((form) =>
    Object.entries(ANSWERS[form]).map(([state, words]) => ({ form, state, words })),
  );
  return Promise.all(
    answers.map(async ({ form, state, words }) => {
      const html = await preRender(`/${form}`, samples, <AnswerPage form={form} state={state} />);
      const document = documentOf(NOT_FOUND, html, base);
      const title = `${words.title} | ${fullName(name)}`;
      return { ...document, title, canonical: `${base}/${form}`, file: `/${form}-${state}` };
    }),
  );
}

/** Placeholder numbers, which no built page may hold, and the tokens that it holds instead. */
export const numbers = {
  placeholders: [DEFAULT_SETTINGS.clinicPhone, DEFAULT_SETTINGS.clinicPhoneDigits, DEFAULT_SETTINGS.whatsappNumber],
  tokens: NUMBER_TOKENS,
};

/** What stands in for the server's settings where the build measures its pages. */
export const settings = DEFAULT_SETTINGS;

/** What the server writes into the pages of `renderReceipts`. */
export const receiptTokens = { reference: REFERENCE_TOKEN, call: CALL_TOKEN, details: DETAILS_TOKEN };

/** What the server knows of the clinic (leads/clinic.py): what an enquiry can be about, by id; `signature` ends its mails, with the site's address. */
export const clinic = {
  hours,
  treatments: { ...names, ...thankYou.details.needs },
  signature: [fullName(name), `${address.street}, ${address.postcode} ${address.city}, ${address.country}`],
};

/** The colours of tokens.css, by name. */
const colours = Object.fromEntries(
  [...tokens.matchAll(/--([\w-]+): (#[0-9a-f]+);/g)].map(([, name, colour]) => [name, colour]),
);

/** Data for the files for crawlers and home screens. */
export const identity = { colours, site, name: fullName(name), shortName: name.first, lastUpdated };

/** The video services that the server's content security policy must allow. */
export const embeds = embedOrigins(testimonials.map(({ video }) => video));

/** What the build writes into pages in place of a mark: the native select's countries. */
export const countries = { mark: COUNTRIES_MARK, options: countryOptions() };
