import { type Currency, money, type Price } from "@/lib/money";

/** A text, and the amount for its {price} where it has one. */
export interface PricedText {
  text: string;
  price: number | null;
}

export const inWords = ({ text, price }: PricedText, currency: Currency) =>
  price === null ? text : text.replace("{price}", money(price, currency));

type Card = Content<"treatments.yaml">["treatments"][number];

/** The content of a treatment card, with the prices of a list. */
export interface Treatment
  extends Price,
    Readonly<Pick<Card, "id" | "title" | "unit" | "image" | "alt" | "highlights" | "whyLess">> {
  /** What the price buys, in a line under it. */
  buys: PricedText;
  /** Its warranty is empty where none may be stated. */
  details: Readonly<Omit<Card["details"], "excludes">> & { excludes: readonly PricedText[] };
}

/** The words that all treatment cards share. */
export type TreatmentWords = Omit<Content<"treatments.yaml">["words"], "heading">;

/** Those of a card that opens. */
export interface CardWords extends TreatmentWords {
  /** Leads to the form. */
  ask: string;
}
