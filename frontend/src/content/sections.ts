/** Sections whose content is joined from several files, or depends on samples. */
import { alone, lists as elsewhere, sample, source, words as table } from "#content/comparison.yaml";
import { headings, offers, words as offerText } from "#content/offers.yaml";
import { lists } from "#content/prices.yaml";
import { words as reasonText, turkey } from "#content/reasons.yaml";
import { treatments, words as treatmentText } from "#content/treatments.yaml";
import { claimsAt, shown, withClaims } from "./claims";

/** A text in whose {price} an amount is filled in. */
export interface PricedText {
  text: string;
  price: number | null;
}

function priceList(list: string) {
  const found = lists[list];
  if (!found) {
    throw new Error(`There is no price list "${list}".`);
  }
  return found;
}

/** The cards of the treatments that the list has a price for. The build has checked that it has the prices they name. */
export function treatmentCards(list: string, samples: boolean) {
  const { currency, was_until: wasUntil, prices } = priceList(list);
  const priceOf = (id: string) => prices[id]?.price ?? 0;
  const priced = (text: string): PricedText => {
    const [braces, id] = /\{price:([^}]+)\}/.exec(text) ?? [];
    return braces && id
      ? { text: text.replace(braces, "{price}"), price: priceOf(id) }
      : { text, price: null };
  };
  const cards = treatments.flatMap(({ buys, adds, details, ...treatment }) => {
    const price = prices[treatment.id];
    const sum = adds ? [treatment.id, ...adds].reduce((total, id) => total + priceOf(id), 0) : null;
    const warranty = withClaims(details.warranty, samples);
    const words = { ...details, warranty, excludes: details.excludes.map(priced) };
    return price ? [{ ...treatment, ...price, buys: { text: buys, price: sum }, details: words }] : [];
  });
  return { currency, wasUntil, cards };
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

/** Why Turkey, with what the same costs elsewhere; where no comparison may be shown, with what is in our prices. */
export function turkeyWords(list: string, samples: boolean) {
  const { currency, cards } = treatmentCards(list, samples);
  const amounts = samples || !sample ? elsewhere[list] : undefined;
  const { overline, title, alone: titleAlone } = reasonText.turkey;
  const { includes: included, excludes: excluded } = treatmentText;
  return {
    heading: { overline, title: amounts ? title : titleAlone },
    claims: claimsAt("why-turkey", samples),
    lines: turkey
      .map((line) => ({ ...line, text: withClaims(line.text, samples) }))
      .filter(({ text }) => text !== ""),
    chat: reasonText.chat,
    table: amounts
      ? {
          ...table,
          currency,
          source,
          sample,
          rows: cards.map((card) => ({ ...card, elsewhere: amounts[card.id] })),
        }
      : null,
    inPrice: { ...alone, included, excluded, currency, cards },
  };
}
