/** Sections whose content is joined from several files, or depends on samples. */
import { lists as elsewhere, sample, source, words as table } from "#content/comparison.yaml";
import { headings, offers, words as offerText } from "#content/offers.yaml";
import { lists } from "#content/prices.yaml";
import { words as reasonText, turkey } from "#content/reasons.yaml";
import { treatments } from "#content/treatments.yaml";
import { claimsAt, shown } from "./claims";

/** The cards of the treatments that the list has a price for. */
export function treatmentCards(list: string) {
  const found = lists[list];
  if (!found) {
    throw new Error(`There is no price list "${list}".`);
  }
  const cards = treatments.flatMap((treatment) => {
    const price = found.prices[treatment.id];
    return price ? [{ ...treatment, ...price }] : [];
  });
  return { currency: found.currency, wasUntil: found.was_until, cards };
}

export type OfferPlace = keyof typeof headings;

/**
 * The offers of a place, whatever their dates: the browser decides by date which of them run. `landing`: those of that
 * landing page, under the heading of the place.
 */
export const offerWords = (place: OfferPlace, samples: boolean, landing?: string) => ({
  ...offerText,
  heading: headings[place],
  offers: shown(offers, samples).filter(({ places }) => places.includes(landing ?? place)),
});

/** Why Turkey, and what the same costs elsewhere. Without samples the table shows our own prices alone. */
export function turkeyWords(list: string, samples: boolean) {
  const { currency, cards } = treatmentCards(list);
  const compared = samples || !sample ? elsewhere[list] : undefined;
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
      rows: cards.map(({ id, title: name, unit, price, was }) => ({
        id,
        title: name,
        unit,
        price,
        elsewhere: compared ? compared[id] : was,
      })),
      source: compared ? source : table.alone.source,
      sample: compared !== undefined && sample,
    },
  };
}
