/** Prices as visitors read them. Amounts are whole units of the currency. */

export type Currency = "GBP" | "EUR" | "USD";

export interface Price {
  price: number;
  /** The former price; absent where none is struck through. */
  was?: number | undefined;
}

const SIGNS: Record<Currency, string> = { GBP: "£", EUR: "€", USD: "$" };

/** Formats as £1,999. Without Intl: its first use takes a phone some 70 ms, as the first prices come into view. */
export function money(amount: number, currency: Currency): string {
  return SIGNS[currency] + String(amount).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** The saving against a higher price; null where there is none. The percentage is rounded down, so never overstated. */
export function saving(price: number, higher: number | undefined): { amount: number; percent: number } | null {
  if (higher === undefined || higher <= price) {
    return null;
  }
  return { amount: higher - price, percent: Math.floor(((higher - price) / higher) * 100) };
}
