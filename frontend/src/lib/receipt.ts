/**
 * The receipt of an accepted enquiry, kept for the session so that the thank-you page survives a reload; where storage
 * is forbidden, for as long as the page lives.
 */
import { useSyncExternalStore } from "react";
import { readJson, writeJson } from "./storage";

const KEY = "lead_receipt";

export interface Receipt {
  reference: string;
  firstName: string;
  /** When it was accepted, milliseconds since the epoch. */
  acceptedAt: number;
}

let kept: Receipt | null = null;

export function keepReceipt(receipt: Receipt): void {
  kept = receipt;
  writeJson("session", KEY, receipt);
}

function storedReceipt(): Receipt | null {
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

/** The session's receipt, or null when no enquiry was sent in it. */
export function currentReceipt(): Receipt | null {
  kept ??= storedReceipt();
  return kept;
}

/** For tests only: as if the page had been reloaded. */
export function forgetReceipt(): void {
  kept = null;
}

/** A six-digit reference made from a time, for a thank-you page opened without an enquiry. */
export function referenceFromClock(moment: number): string {
  return String(Math.floor(moment / 1000)).slice(-6);
}

/** What the thank-you page shows: a receipt, or a number from the clock when nothing was sent. */
export interface Shown {
  reference: string;
  receipt: Receipt | null;
}

const never = () => () => {};
let shown: Shown | null = null;

function toShow(): Shown {
  const receipt = currentReceipt();
  if (shown === null || shown.receipt !== receipt) {
    shown = { receipt, reference: receipt?.reference ?? referenceFromClock(Date.now()) };
  }
  return shown;
}

/** Null while pre-rendering. */
export function useReceipt(): Shown | null {
  return useSyncExternalStore(never, toShow, () => null);
}
