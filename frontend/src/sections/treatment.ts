import { type Currency, money, type Price } from "@/lib/money";

/** A text in whose {price} an amount is filled in; null where it names none. */
export interface PricedText {
  text: string;
  price: number | null;
}

export const inWords = ({ text, price }: PricedText, currency: Currency) =>
  price === null ? text : text.replace("{price}", money(price, currency));

/** The content of a treatment card. */
export interface Treatment extends Price {
  id: string;
  title: string;
  unit: string | null;
  image: string;
  alt: string;
  highlights: readonly string[];
  /** What the price buys, in a line under it. */
  buys: PricedText;
  /** Why it costs less than a treatment that does less; null where it does not, or nobody has said why. */
  whyLess: string | null;
  details: {
    duration: string;
    visits: string;
    /** Empty where none may be stated. */
    warranty: string;
    process: readonly string[];
    benefits: readonly string[];
    includes: readonly string[];
    excludes: readonly PricedText[];
  };
}

/** The words that all treatment cards share. */
export type TreatmentWords = Omit<Content<"treatments.yaml">["words"], "heading">;

/** Those of a card that opens. */
export interface CardWords extends TreatmentWords {
  /** Leads to the form. */
  ask: string;
}
