/**
 * The receipt of an accepted enquiry. The thank-you page's address has its reference, as the server writes it too; what else
 * is known stands in that entry of the browser's history, and so survives a reload.
 */
import { useLocation } from "react-router-dom";
import { type Details, detailsOf } from "./details";
import { useHydrated } from "./hydrated";

export interface Receipt {
  reference: string;
  firstName: string;
  /** When the clinic calls, in the server's words; null where only the reference is known. */
  call: string | null;
  /** What can be added to the enquiry; "saved" where a browser without a script has done so; null: nothing. */
  details: Details | "saved" | null;
}

/** What the server replaces in the pages of a receipt (web/pages.py). */
export const REFERENCE_TOKEN = "{{reference}}";
export const CALL_TOKEN = "{{call}}";
export const DETAILS_TOKEN = "{{details}}";

const REFERENCE = /(?:^\?|&)reference=(\d{6}|\{\{reference\}\})(?:&|$)/;
const DETAILS = /&details=(saved|[0-9a-f]{32}\.[0-9a-f]{24}|\{\{details\}\})(?:&|$)/;
const isServer = typeof document === "undefined";

export function receiptAddress({ reference, details }: Receipt): string {
  const more = details === null || details === "saved" ? "" : `&details=${details.token}`;
  return `/thank-you?reference=${reference}${more}`;
}

/** What an address says, by the server's own rule (web/pages.py). Its call stands in the page already. */
function receiptIn(search: string): Receipt | null {
  const reference = REFERENCE.exec(search)?.[1];
  if (reference === undefined) {
    return null;
  }
  const token = DETAILS.exec(search)?.[1];
  const details = token && token !== "saved" ? { token, interest: null, slots: [], zone: "" } : "saved";
  const call = token === "saved" ? "" : isServer ? CALL_TOKEN : null;
  return { reference, firstName: "", call, details: token ? details : null };
}

/** With what the entry of the history adds; that stays where a tag has cleaned the address. */
function withState(named: Receipt | null, state: unknown): Receipt | null {
  const kept: Partial<Record<keyof Receipt, unknown>> = { ...(state as object | null) };
  if (typeof kept.reference !== "string" || (named && kept.reference !== named.reference)) {
    return named;
  }
  return {
    reference: kept.reference,
    firstName: String(kept.firstName ?? ""),
    call: typeof kept.call === "string" ? kept.call : null,
    details: detailsOf(kept.details) ?? named?.details ?? null,
  };
}

/** Null where nothing was sent. */
export function useReceipt(): Receipt | null {
  const { search, state } = useLocation();
  const named = receiptIn(search);
  return useHydrated() ? withState(named, state) : named;
}

/** A six-digit reference made from a time, for a thank-you page opened without an enquiry. */
export function referenceFromClock(moment: number): string {
  return String(Math.floor(moment / 1000)).slice(-6);
}
