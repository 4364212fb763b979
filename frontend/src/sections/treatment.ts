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
export interface TreatmentWords {
  off: string;
  today: string;
  price: string;
  was: string;
  save: string;
  open: string;
  close: string;
  duration: string;
  visits: string;
  warranty: string;
  process: string;
  benefits: string;
  includes: string;
  excludes: string;
  ask: string;
  more: string;
  wasUntil: string;
}
