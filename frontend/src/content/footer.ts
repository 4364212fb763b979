/** The footer of every page. Apart from the rest of the page, which is fetched before it. */
import * as clinic from "#content/clinic.yaml";
import { reopen } from "#content/consent.yaml";
import { close, notices } from "#content/legal.yaml";
import { note } from "#content/sample.yaml";
import { footer, line } from "#content/site.yaml";

const WEEK = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** "Monday to Saturday", or the days one by one where they do not follow each other. */
function daysInWords(days: readonly string[]): string {
  const first = WEEK.indexOf(days[0] ?? "");
  const inRow = days.length > 2 && days.every((day, place) => day === WEEK[first + place]);
  return inRow ? `${days[0]} to ${days.at(-1)}` : days.join(", ");
}

export const hoursInWords = ({ words, days, opens, closes }: Omit<typeof clinic.hours, "closed">) =>
  words.replace("{days}", daysInWords(days)).replace("{opens}", opens).replace("{closes}", closes);

/** The company that answers for the site, with its registers; null until the clinic has given it. */
export function companyInWords(samples: boolean): string | null {
  const { name, register, representatives, sample } = clinic.company;
  return samples || !sample ? [name, register, representatives].filter(Boolean).join(", ") : null;
}

const { street, postcode, city, country } = clinic.address;

export const footerWords = (samples: boolean) => ({
  ...footer,
  wordmark: clinic.name,
  line,
  /** On one line. Search engines get its parts (pages/structuredData.ts). */
  address: `${street}, ${postcode} ${city}, ${country}`,
  map: clinic.map,
  hours: hoursInWords(clinic.hours),
  email: clinic.email,
  editor: clinic.editor,
  updated: clinic.lastUpdated,
  complaints: clinic.complaints,
  legal: {
    notices: Object.entries(notices).map(([page, notice]) => ({ ...notice, href: `/${page}` })),
    close,
    cookies: reopen,
  },
  authorisation: samples || !clinic.authorisation.sample ? clinic.authorisation : null,
  small: [footer.small, companyInWords(samples), samples && note].filter(Boolean).join(". "),
});
