/** Sections whose content is joined from several files, or depends on samples. */
import {
  landing as inEuros,
  home as inPounds,
  sample,
  source,
  words as table,
} from "#content/comparison.yaml";
import { headings, offers, words as offerText } from "#content/offers.yaml";
import { home, landing } from "#content/prices.yaml";
import { words as reasonText, turkey } from "#content/reasons.yaml";
import { treatments } from "#content/treatments.yaml";
import { claimsAt, shown } from "./claims";

export type PriceList = "home" | "landing";

const LISTS = {
  home: { ...home, elsewhere: inPounds },
  landing: { ...landing, elsewhere: inEuros },
};

/** The six cards with the prices of one list. */
export const treatmentCards = (list: PriceList) => ({
  currency: LISTS[list].currency,
  wasUntil: LISTS[list].was_until,
  cards: treatments.map((treatment) => ({ ...treatment, ...LISTS[list].prices[treatment.id] })),
});

export type OfferPlace = keyof typeof headings;

/** The offers of one place, whatever their dates: the browser decides by date which of them run. */
export const offerWords = (place: OfferPlace, samples: boolean) => ({
  ...offerText,
  heading: headings[place],
  offers: shown(offers, samples).filter((offer) => offer.place === place),
});

/** Why Turkey, and what the same costs elsewhere. Without samples the table shows our own prices alone. */
export function turkeyWords(list: PriceList, samples: boolean) {
  const { currency, prices, elsewhere } = LISTS[list];
  const compared = samples || !sample;
  const { treatment, here, saving } = table;
  const { title, elsewhere: column } = compared ? table.compared : table.alone;
  return {
    heading: reasonText.turkey,
    claims: claimsAt("why-turkey", samples),
    lines: turkey,
    chat: reasonText.chat,
    table: {
      title,
      columns: { treatment, elsewhere: column, here, saving },
      currency,
      rows: treatments.map(({ id, title: name, unit }) => ({
        id,
        title: name,
        unit,
        price: prices[id].price,
        elsewhere: compared ? elsewhere[id] : prices[id].was,
      })),
      source: compared ? source : table.alone.source,
      sample: compared && sample,
    },
  };
}
