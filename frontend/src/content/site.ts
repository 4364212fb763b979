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
  "before-after-gallery": casesAreReal,
};

const PLACES = (Object.keys(header.places) as (keyof typeof header.places)[]).map((id) => ({
  href: `#${id}`,
  text: header.places[id],
  real: isReal[id] ?? true,
}));

/** The sections that the header links to on wide screens, in page order; without samples only those that are shown. */
export const navigation = (samples: boolean) => PLACES.filter(({ real }) => samples || real);

const WEEK = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** "Monday to Saturday", or the days one by one where they do not follow each other. */
function daysInWords(days: readonly string[]): string {
  const first = WEEK.indexOf(days[0] ?? "");
  const inRow = days.length > 2 && days.every((day, place) => day === WEEK[first + place]);
  return inRow ? `${days[0]} to ${days.at(-1)}` : days.join(", ");
}

export const hoursInWords = ({ words, days, opens, closes }: typeof hours) =>
  words.replace("{days}", daysInWords(days)).replace("{opens}", opens).replace("{closes}", closes);

export const footerWords = (samples: boolean) => ({
  ...footer,
  wordmark: name,
  line,
  address,
  map,
  hours: hoursInWords(hours),
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
