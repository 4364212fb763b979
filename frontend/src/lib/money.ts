/** Prices as visitors read them. Amounts are whole units of the currency. */

export type Currency = "GBP" | "EUR";

export interface Price {
  price: number;
  /** What it cost before; absent where nothing is struck through. */
  was?: number | undefined;
}

const formats: Record<Currency, Intl.NumberFormat> = {
  GBP: new Intl.NumberFormat("en-GB", { style: "currency", currency: "GBP", maximumFractionDigits: 0 }),
  EUR: new Intl.NumberFormat("en-GB", { style: "currency", currency: "EUR", maximumFractionDigits: 0 }),
};

export function money(amount: number, currency: Currency): string {
  return formats[currency].format(amount);
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
