/** Prices as visitors read them. Amounts are whole units of the currency. */

export type Currency = "GBP" | "EUR";

export interface Price {
  price: number;
  /** What it cost before; absent where nothing is struck through. */
  was?: number | undefined;
}

const SIGNS: Record<Currency, string> = { GBP: "£", EUR: "€" };

/** As £1,999. Without Intl: a browser's first format costs a phone some 70 ms, while the first prices come into view. */
export function money(amount: number, currency: Currency): string {
  return SIGNS[currency] + String(amount).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** What is saved against a higher price; null where there is none. The percentage is rounded down: never overstated. */
export function saving(
  price: number,
  higher: number | undefined,
): { amount: number; percent: number } | null {
  if (higher === undefined || higher <= price) {
    return null;
  }
  return { amount: higher - price, percent: Math.floor(((higher - price) / higher) * 100) };
}
