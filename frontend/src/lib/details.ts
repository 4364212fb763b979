/** What can be added to an enquiry after it was sent. */

/** A time to choose from; `until` names it for the server. */
export interface Slot {
  until: string;
  day: string;
  time: string;
}

export interface Details {
  token: string;
  /** The treatment that the enquiry is about, in words, where its page said so. */
  interest: string | null;
  /** Empty where only the clinic's hours are known. */
  slots: readonly Slot[];
  zone: string;
}

/** What an answer of the server or an entry of the browser's history offers; null where it cannot be read. */
export function detailsOf(value: unknown): Details | null {
  const { token, interest, slots, zone }: Partial<Record<keyof Details, unknown>> = {
    ...(value as object | null),
  };
  if (typeof token !== "string" || !Array.isArray(slots)) {
    return null;
  }
  return { token, interest: typeof interest === "string" ? interest : null, slots, zone: String(zone ?? "") };
}
