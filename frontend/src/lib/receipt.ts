/**
 * The receipt of an accepted enquiry, kept for the session so that the thank-you page survives a reload; where storage
 * is forbidden, for as long as the page lives.
 */
import type { Details } from "./details";
import { readJson, writeJson } from "./storage";

const KEY = "lead_receipt";

export interface Receipt {
  reference: string;
  firstName: string;
  /** When the clinic calls, in the server's words; null where only the reference is known. */
  call: string | null;
  /** What can be added to the enquiry; "saved" where a browser without a script has done so; null: nothing. */
  details: Details | "saved" | null;
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
  const { reference, firstName, call, details }: Partial<Record<keyof Receipt, unknown>> = { ...stored };
  if (typeof reference !== "string") {
    return null;
  }
  return {
    reference,
    firstName: typeof firstName === "string" ? firstName : "",
    call: typeof call === "string" ? call : null,
    details: (details ?? null) as Receipt["details"],
  };
}

/** The session's receipt, or null when no enquiry was sent in it. */
export function currentReceipt(): Receipt | null {
  kept ??= storedReceipt();
  return kept;
}

/** The thank-you page's address as a document: with the reference, because storage may be forbidden. */
export function receiptAddress(): string {
  const receipt = currentReceipt();
  if (receipt === null) {
    return "/thank-you";
  }
  const { reference, details } = receipt;
  const more = details === null || details === "saved" ? "" : `&details=${details.token}`;
  return `/thank-you?reference=${reference}${more}`;
}

/** For tests only: as if the page had been reloaded. */
export function forgetReceipt(): void {
  kept = null;
}
