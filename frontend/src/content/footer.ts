/** The footer of every page. Apart from the rest of the page, which is fetched before it. */
import { address, authorisation, complaints, editor, email, hours, lastUpdated, map, name } from "#content/clinic.yaml";
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

export const hoursInWords = ({ words, days, opens, closes }: Omit<typeof hours, "closed">) =>
  words.replace("{days}", daysInWords(days)).replace("{opens}", opens).replace("{closes}", closes);

/** On one line. Search engines get its parts (pages/structuredData.ts). */
const addressInWords = ({ street, postcode, city, country }: typeof address) =>
  `${street}, ${postcode} ${city}, ${country}`;

export const footerWords = (samples: boolean) => ({
  ...footer,
  wordmark: name,
  line,
  address: addressInWords(address),
  map,
  hours: hoursInWords(hours),
  email,
  editor,
  updated: lastUpdated,
  complaints,
  legal: {
    notices: Object.entries(notices).map(([page, notice]) => ({ ...notice, href: `/${page}` })),
    close,
    cookies: reopen,
  },
  authorisation: samples || !authorisation.sample ? authorisation : null,
  small: samples ? `${footer.small}. ${note}` : footer.small,
});
