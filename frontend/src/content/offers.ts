import { offers } from "#content/offers.yaml";
import { shown } from "./claims";

const HEADINGS = {
  "special-offers": { overline: "Special offers", title: "Included at no extra cost" },
  "special-promotions": { overline: "Promotions", title: "To make the journey easier" },
} as const;

export type OfferPlace = keyof typeof HEADINGS;

/** The offers of one place, whatever their days: which of them run is a question of the visitor's date. */
export const offerWords = (place: OfferPlace, samples: boolean) => ({
  heading: HEADINGS[place],
  offers: shown(offers, samples).filter((offer) => offer.place === place),
  until: "Until {day}",
  left: { last: "Last day today", one: "1 day left", many: "{days} days left" },
  none: {
    title: "No further offer at the moment",
    lead: "The prices on this page are today's prices.",
  },
});
