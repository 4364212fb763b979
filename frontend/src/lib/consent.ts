/** What the visitor consented to, stored in this browser; without storage it lasts as long as the page. */
import { state } from "./pageState";
import { forget, readJson, readText, writeJson } from "./storage";
import { CONSENT_KEY as KEY } from "./storedConsent";

/** Consent is asked for again after a year. */
const MAX_AGE_MS = 365 * 24 * 3600 * 1000;

export const PURPOSES = ["analytics", "advertising"] as const;
export type Purpose = (typeof PURPOSES)[number];
/** A purpose that is absent was never asked about. */
export type ConsentChoice = Partial<Record<Purpose, boolean>>;

export interface Consent {
  /** The version of the wording that the visitor read. */
  version: string;
  choice: ConsentChoice;
  /** When the choice was made, ISO 8601 in UTC. */
  at: string;
}

const listeners = new Set<(consent: Consent) => void>();

function consentFrom(stored: unknown): Consent | null {
  if (typeof stored !== "object" || stored === null) {
    return null;
  }
  const { version, choice, at }: Record<string, unknown> = { ...stored };
  if (typeof version !== "string" || typeof at !== "string" || typeof choice !== "object") {
    return null;
  }
  const given: Record<string, unknown> = { ...choice };
  const known = PURPOSES.flatMap((purpose) =>
    typeof given[purpose] === "boolean" ? [[purpose, given[purpose]] as const] : [],
  );
  return { version, at, choice: Object.fromEntries(known) };
}

/** The visitor's latest choice, or null before there is one. */
export function currentConsent(): Consent | null {
  return state.consent ?? consentFrom(readJson("local", KEY));
}

/** Whether a choice is still valid: for this wording, for all of these purposes, and not too old. */
export function answers(
  consent: Consent | null,
  version: string,
  purposes: readonly Purpose[],
  now: Date,
): consent is Consent {
  return (
    consent !== null &&
    consent.version === version &&
    purposes.every((purpose) => consent.choice[purpose] !== undefined) &&
    now.getTime() - Date.parse(consent.at) < MAX_AGE_MS
  );
}

function notify(consent: Consent): void {
  state.consent = consent;
  for (const listener of listeners) {
    listener(consent);
  }
}

/** Stores a choice and notifies the listeners. */
export function giveConsent(consent: Consent): void {
  // A full storage can still remove: otherwise an earlier consent would be back on the next page.
  forget("local", KEY);
  writeJson("local", KEY, consent);
  notify(consent);
}

/** Follows choices made in other tabs, and on pages that the visitor comes back from. Returns a function to stop. */
export function followOtherTabs(): () => void {
  let known = readText("local", KEY);
  function check(): void {
    const text = readText("local", KEY);
    const consent = text === known ? null : consentFrom(readJson("local", KEY));
    known = text;
    if (consent) {
      notify(consent);
    }
  }
  const onStorage = ({ key }: StorageEvent) => key === KEY && check();
  // A page restored from the back-forward cache has missed the other pages' events.
  const onShow = ({ persisted }: PageTransitionEvent) => persisted && check();
  window.addEventListener("storage", onStorage);
  window.addEventListener("pageshow", onShow);
  return () => {
    window.removeEventListener("storage", onStorage);
    window.removeEventListener("pageshow", onShow);
  };
}

/** Adds a listener; the returned function removes it. */
export function onConsent(listener: (consent: Consent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The lead's fields about the choice; none before there is one. */
export function consentFields() {
  const consent = currentConsent();
  return consent ? { consentVersion: consent.version, consentChoice: consent.choice, consentAt: consent.at } : {};
}
