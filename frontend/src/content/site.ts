/** The header, bars and footer of every page. */
import { real as casesAreReal } from "#content/cases.yaml?real";
import {
  address,
  authorisation,
  complaints,
  editor,
  email,
  hours,
  lastUpdated,
  map,
  name,
} from "#content/clinic.yaml";
import { reopen } from "#content/consent.yaml";
import { real as clinicIsReal } from "#content/gallery.yaml?real";
import { close, complaint, privacy, terms } from "#content/legal.yaml";
import { note } from "#content/sample.yaml";
import { bottomBar, footer, header, line, skip, topBar } from "#content/site.yaml";
import { claimsAt } from "./claims";

export const siteWords = (samples: boolean) => ({
  skip,
  topBar: claimsAt("top-bar", samples),
  topBarLabel: topBar.label,
  topBarInstead: topBar.instead,
  header: { wordmark: name, ...header },
  bottomBar,
});

const isReal: Partial<Record<keyof typeof header.places, boolean>> = {
  "clinic-showcase": clinicIsReal,
  "before-after-gallery": casesAreReal,
};

const PLACES = (Object.keys(header.places) as (keyof typeof header.places)[]).map((id) => ({
  href: `#${id}`,
  text: header.places[id],
  real: isReal[id] ?? true,
}));

/** The sections that the header links to on wide screens, in page order; without samples only those that are shown. */
export const navigation = (samples: boolean) => PLACES.filter(({ real }) => samples || real);

export const footerWords = (samples: boolean) => ({
  ...footer,
  wordmark: name,
  line,
  address,
  map,
  hours,
  email,
  editor,
  updated: lastUpdated,
  complaints,
  legal: {
    notices: [
      { ...privacy, href: "/privacy" },
      { ...terms, href: "/terms" },
    ],
    close,
    cookies: reopen,
    complaint,
  },
  authorisation: samples || !authorisation.sample ? authorisation : null,
  small: samples ? `${footer.small}. ${note}` : footer.small,
});
