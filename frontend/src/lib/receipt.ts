/** The receipt of an accepted enquiry, kept for the session so that the thank-you page survives a reload. */
import { useSyncExternalStore } from "react";
import { readJson, writeJson } from "./storage";

const KEY = "lead_receipt";

export interface Receipt {
  reference: string;
  firstName: string;
  /** When it was accepted, milliseconds since the epoch. */
  acceptedAt: number;
}

export function keepReceipt(receipt: Receipt): void {
  writeJson("session", KEY, receipt);
}

/** The session's receipt, or null when no enquiry was sent in it. */
export function storedReceipt(): Receipt | null {
  const stored = readJson("session", KEY);
  if (typeof stored !== "object" || stored === null) {
    return null;
  }
  const { reference, firstName, acceptedAt }: Partial<Record<keyof Receipt, unknown>> = { ...stored };
  if (typeof reference !== "string" || typeof acceptedAt !== "number") {
    return null;
  }
  return { reference, acceptedAt, firstName: typeof firstName === "string" ? firstName : "" };
}

/** A six-digit reference made from a time, for a thank-you page opened without an enquiry. */
export function referenceFromClock(moment: number): string {
  return String(Math.floor(moment / 1000)).slice(-6);
}

const never = () => () => {};
let shown: Receipt | null = null;

function receiptToShow(): Receipt {
  const stored = storedReceipt();
  if (stored !== null) {
    shown = shown?.reference === stored.reference && shown.acceptedAt === stored.acceptedAt ? shown : stored;
    return shown;
  }
  if (shown === null || shown.firstName !== "") {
    const now = Date.now();
    shown = { reference: referenceFromClock(now), firstName: "", acceptedAt: now };
  }
  return shown;
}

/** The session's receipt, or one made from the clock when nothing was sent; null while pre-rendering. */
export function useReceipt(): Receipt | null {
  return useSyncExternalStore(never, receiptToShow, () => null);
}
