/** Sections whose content is joined from several files, or depends on samples. */
import { alone, lists as elsewhere, sample, source, words as table } from "#content/comparison.yaml";
import { headings, offers, words as offerText } from "#content/offers.yaml";
import { lists } from "#content/prices.yaml";
import { words as reasonText, turkey } from "#content/reasons.yaml";
import { ctas } from "#content/site.yaml";
import { related } from "#content/treatment-page.yaml";
import { treatments } from "#content/treatments.yaml";
import { claimsAt, shown } from "./claims";
import { itemsWithClaims, restOnSamples, withClaims } from "./namedClaims";

function priceList(list: string) {
  const found = lists[list];
  if (!found) {
    throw new Error(`There is no price list "${list}".`);
  }
  return found;
}

/**
 * The cards of the treatments that the list has a price for. The build has checked that it has the prices they name.
 * A former price is a sample until somebody wrote down when it was charged last.
 */
export function treatmentCards(list: string, samples: boolean) {
  const { currency, was_until: wasUntil, parts, prices } = priceList(list);
  const struck = samples || wasUntil !== null;
  const priceOf = (id: string) => parts[id] ?? prices[id]?.price ?? null;
  /** A text in whose {price} an amount is filled in; null where it names none. */
  const priced = (text: string): { text: string; price: number | null } => {
    const [braces, id] = /\{price:([^}]+)\}/.exec(text) ?? [];
    return braces && id ? { text: text.replace(braces, "{price}"), price: priceOf(id) } : { text, price: null };
  };
  const cards = treatments.flatMap(({ buys, buysApart, adds, details, ...treatment }) => {
    const price = prices[treatment.id];
    const amounts = [treatment.id, ...(adds ?? [])].map(priceOf);
    const sum = amounts.reduce((total, amount) => total && amount && total + amount);
    const warranty = withClaims(details.warranty, samples);
    const benefits = details.benefits.map((benefit) => withClaims(benefit, samples)).filter(Boolean);
    const words = { ...details, warranty, benefits, excludes: details.excludes.map(priced) };
    const was = struck ? price?.was : undefined;
    const line = sum === null && buysApart ? buysApart : buys;
    return price ? [{ ...treatment, price: price.price, was, buys: { text: line, price: sum }, details: words }] : [];
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

/** Why Turkey, with what the same costs elsewhere; where no comparison may be shown, with a link to our prices. */
export function turkeyWords(list: string, samples: boolean) {
  const { currency, cards } = treatmentCards(list, samples);
  const amounts = samples || !sample ? elsewhere[list] : undefined;
  const { overline, title, alone: titleAlone } = reasonText.turkey;
  return {
    heading: { overline, title: amounts ? title : titleAlone },
    claims: claimsAt("why-turkey", samples),
    lines: itemsWithClaims(turkey, "text", samples),
    sample: restOnSamples(turkey.map(({ text }) => text)),
    chat: ctas.chat,
    table: amounts
      ? {
          ...table,
          currency,
          source,
          sample,
          rows: cards.map((card) => ({ ...card, elsewhere: amounts[card.id] })),
        }
      : null,
    prices: { ...alone, link: related.all },
  };
}
