/**
 * What the thank-you page shows: the session's receipt, or what its address says. A form that was sent without any script
 * has its reference in the address.
 */
import { useSyncExternalStore } from "react";
import { useLocation } from "react-router-dom";
import type { Details } from "./details";
import { currentReceipt, type Receipt } from "./receipt";

/** What the server replaces in the pages of a receipt (web/site.py). */
export const REFERENCE_TOKEN = "{{reference}}";
export const CALL_TOKEN = "{{call}}";
export const DETAILS_TOKEN = "{{details}}";

/** The reference in an address's query, or null; the server reads it by the same rule, so that hydration matches. */
function referenceIn(search: string): string | null {
  if (typeof document === "undefined" && search.includes(`=${REFERENCE_TOKEN}`)) {
    return REFERENCE_TOKEN;
  }
  return /(?:^\?|&)reference=(\d{6})(?:&|$)/.exec(search)?.[1] ?? null;
}

/** What an address says of what can be added. */
function detailsIn(search: string): Details | "saved" | null {
  const [, found] = /&details=(saved|[0-9a-f]{32}\.[0-9a-f]{24}|\{\{details\}\})(?:&|$)/.exec(search) ?? [];
  if (found === undefined || found === "saved") {
    return found ?? null;
  }
  return {
    token: found,
    interest: null,
    slots: [],
    zone: "",
    answers: {},
  };
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

/** What the server has written into this page of the call. Hydration finds it there. */
function servedCall(): string | null {
  return typeof document === "undefined"
    ? CALL_TOKEN
    : (document.querySelector("[data-call]")?.textContent ?? null);
}

/** What the address says was sent. The same reference always results in the same object. */
function receiptIn(search: string): Shown | null {
  const reference = referenceIn(search);
  if (reference === null) {
    return null;
  }
  const details = detailsIn(search);
  const known = named?.receipt?.details ?? null;
  if (named?.reference !== reference || JSON.stringify(known) !== JSON.stringify(details)) {
    const call = details === "saved" ? "" : servedCall();
    named = { reference, receipt: { reference, firstName: "", call, details } };
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
