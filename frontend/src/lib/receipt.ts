/**
 * The receipt of an accepted enquiry, kept for the session so that the thank-you page survives a reload; where storage
 * is forbidden, for as long as the page lives. A form that was sent without any script has its reference in the address.
 */
import { useSyncExternalStore } from "react";
import { useLocation } from "react-router-dom";
import { readJson, writeJson } from "./storage";

const KEY = "lead_receipt";

export interface Receipt {
  reference: string;
  firstName: string;
  /** When it was accepted, milliseconds since the epoch; null where only its reference is known. */
  acceptedAt: number | null;
}

/** Stands for the reference in the pages that the server writes it into (web/site.py). */
export const REFERENCE_TOKEN = "{{reference}}";

const SHAPES = { lead: "\\d{6}", complaint: "C-\\d{7,12}" } as const;

/** The reference in an address's query, or null; the server reads it by the same rule, so that hydration matches. */
export function referenceIn(search: string, kind: keyof typeof SHAPES): string | null {
  if (typeof document === "undefined" && search.endsWith(`=${REFERENCE_TOKEN}`)) {
    return REFERENCE_TOKEN;
  }
  return new RegExp(`(?:^\\?|&)reference=(${SHAPES[kind]})(?:&|$)`).exec(search)?.[1] ?? null;
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

/** The thank-you page's address as a document: with the reference, because storage may be forbidden. */
export function receiptAddress(): string {
  const receipt = currentReceipt();
  return receipt ? `/thank-you?reference=${receipt.reference}` : "/thank-you";
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
let named: Shown | null = null;

/** What the address says was sent. The same reference always results in the same object. */
function receiptIn(search: string): Shown | null {
  const reference = referenceIn(search, "lead");
  if (reference === null) {
    return null;
  }
  if (named?.reference !== reference) {
    named = { reference, receipt: { reference, firstName: "", acceptedAt: null } };
  }
  return named;
}

function toShow(inAddress: Shown | null): Shown {
  const receipt = currentReceipt();
  if (inAddress !== null && receipt?.reference !== inAddress.reference) {
    return inAddress;
  }
  if (shown === null || shown.receipt !== receipt) {
    shown = { receipt, reference: receipt?.reference ?? referenceFromClock(Date.now()) };
  }
  return shown;
}

/** Null while pre-rendering, where the address names no reference. */
export function useReceipt(): Shown | null {
  const inAddress = receiptIn(useLocation().search);
  return useSyncExternalStore(
    never,
    () => toShow(inAddress),
    () => inAddress,
  );
}
