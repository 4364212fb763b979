import { home, landing } from "#content/prices.yaml";
import { treatments } from "#content/treatments.yaml";

export type PriceList = "home" | "landing";

const LISTS = { home, landing };

export const treatmentWords = {
  heading: {
    overline: "Treatments and prices",
    title: "One plan, one price, in writing",
    lead: "What you see is the price of the treatment itself. Your own plan comes from a dentist, free of charge.",
  },
  off: "{percent}% off",
  today: "Today's price",
  price: "Price",
  was: "Before",
  save: "You save {amount}",
  open: "Details",
  close: "Hide details",
  duration: "Duration",
  visits: "Visits",
  warranty: "Warranty",
  process: "How it goes",
  benefits: "What speaks for it",
  includes: "Included",
  ask: "Ask for your own plan",
  wasUntil: "Prices struck through were charged until {day}.",
} as const;

/** The six cards with the prices of one list. */
export const treatmentCards = (list: PriceList) => ({
  currency: LISTS[list].currency,
  wasUntil: LISTS[list].was_until,
  cards: treatments.map((treatment) => ({ ...treatment, ...LISTS[list].prices[treatment.id] })),
});
