/** What the visitor agreed to, remembered in this browser; without storage, as long as the page. */
import { forget, readJson, readText, writeJson } from "./storage";

const KEY = "consent";
/** After a year the question is asked again. */
const LONGEST_MS = 365 * 24 * 3600 * 1000;

export const PURPOSES = ["analytics", "advertising"] as const;
export type Purpose = (typeof PURPOSES)[number];
/** A purpose that is absent was never asked about. */
export type ConsentChoice = Partial<Record<Purpose, boolean>>;

export interface Consent {
  /** Of the wording that the visitor read. */
  version: string;
  choice: ConsentChoice;
  /** When it was chosen, ISO 8601 in UTC. */
  at: string;
}

let remembered: Consent | null = null;
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
  return remembered ?? consentFrom(readJson("local", KEY));
}

/** Whether a choice answers today's question: this wording, all of these purposes, not too long ago. */
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
    now.getTime() - Date.parse(consent.at) < LONGEST_MS
  );
}

function tell(consent: Consent): void {
  remembered = consent;
  for (const listener of listeners) {
    listener(consent);
  }
}

/** Remembers a choice and tells whoever listens. */
export function giveConsent(consent: Consent): void {
  // Or a full storage, which can still be emptied, would bring an earlier yes back on the next page.
  forget("local", KEY);
  writeJson("local", KEY, consent);
  tell(consent);
}

/** Follows the choices made in other tabs, and on later pages that the visitor steps back from. Gives the way to stop. */
export function followOtherTabs(): () => void {
  let known = readText("local", KEY);
  function look(): void {
    const text = readText("local", KEY);
    const consent = text === known ? null : consentFrom(readJson("local", KEY));
    known = text;
    if (consent) {
      tell(consent);
    }
  }
  const onStorage = ({ key }: StorageEvent) => key === KEY && look();
  // A page that was kept for stepping back has missed the other pages' messages.
  const onShow = ({ persisted }: PageTransitionEvent) => persisted && look();
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
  return consent
    ? { consentVersion: consent.version, consentChoice: consent.choice, consentAt: consent.at }
    : {};
}

/** Forgets the choice held in memory. For tests. */
export function forgetConsent(): void {
  remembered = null;
}
