/**
 * Remembers which arrivals with campaign parameters brought the visitor: the last one, and the first one of all.
 * Only this file touches `google_ads_data`. Consent code calls two functions, each safe at any time and repeatedly:
 * - `persistAttribution()` when advertising consent is given, and on each load while it stands;
 * - `forgetAttribution()` when it is refused or withdrawn, and on each load while the answer is no
 *   (in "immediate" mode an arrival is stored before anybody has asked).
 * This page's own arrival stays in memory either way, as it does before an answer, and goes with what is sent from it.
 */
import { type Campaign, campaignFromSearch, campaignFromStored, isPartOf, truncate } from "./campaign";
import { sessionId } from "./ids";
import type { Settings } from "./settings";
import { forget, readJson, writeJson } from "./storage";

const KEY = "google_ads_data";
/** The API cuts addresses here too. */
export const MAX_URL_LENGTH = 2048;

/** One arrival from a campaign. */
interface Touch extends Campaign {
  /** When it was, ISO 8601 in UTC. */
  timestamp: string;
  /** The address that was arrived at, and the page before it ("" when the browser does not say). */
  landingUrl: string;
  referrer: string;
}

/** An arrival without what it lacks. */
export type FirstTouch = Partial<Record<keyof Touch, string>>;

/** The last arrival, with the first one within it: the same when there was only one. */
export interface Attribution extends Touch {
  sessionId: string;
  firstTouch: FirstTouch;
}

export interface Arrival {
  url: string;
  referrer: string;
  at: Date;
}

let landingUrl = "";
let arrived: Attribution | null = null;

/** Notes how this page was arrived at. Without campaign parameters an earlier campaign stays what it was. */
export function noteArrival({ url, referrer, at }: Arrival, mode: Settings["attributionStorage"]): void {
  landingUrl = truncate(url, MAX_URL_LENGTH);
  const campaign = campaignFromSearch(new URL(url).search);
  const before = { landingUrl, referrer: truncate(referrer, MAX_URL_LENGTH) };
  arrived = campaign && attributionOf({ ...campaign, timestamp: at.toISOString(), ...before });
  if (mode === "immediate") {
    persistAttribution();
  }
}

/** Keeps this page's arrival in local storage. For the moment of consent. */
export function persistAttribution(): void {
  if (arrived !== null) {
    writeJson("local", KEY, arrived);
  }
}

/** Takes out of local storage what this and earlier visits left there. For the moment consent is withdrawn. */
export function forgetAttribution(): void {
  forget("local", KEY);
  if (arrived !== null) {
    arrived = { ...arrived, firstTouch: firstTouchOf(arrived) };
  }
}

/** This page's arrival from a campaign, else the stored one, else null. */
export function currentAttribution(): Attribution | null {
  return arrived ?? stored();
}

/** Where the visitor came in: with the campaign in question, else on this page. */
export function currentLandingUrl(): string {
  return currentAttribution()?.landingUrl || landingUrl;
}

/**
 * A reload, or a step back to the advertisement's address, is the arrival that it repeats; also where the tags have
 * taken parameters out of that address.
 */
function attributionOf(touch: Touch): Attribution {
  const session = sessionId();
  const earlier = stored();
  if (earlier?.sessionId === session && isPartOf(touch, earlier)) {
    return earlier;
  }
  return { ...touch, sessionId: session, firstTouch: earlier?.firstTouch ?? firstTouchOf(touch) };
}

function firstTouchOf(touch: Touch): FirstTouch {
  const { sessionId: _session, firstTouch: _first, ...own }: Touch & Partial<Attribution> = touch;
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value));
}

function stored(): Attribution | null {
  const value = readJson("local", KEY);
  const fields: Record<string, unknown> = typeof value === "object" && value !== null ? { ...value } : {};
  const touch = touchFrom(fields);
  if (touch === null) {
    return null;
  }
  const first = typeof fields.firstTouch === "object" ? touchFrom({ ...fields.firstTouch }) : null;
  return { ...touch, sessionId: text(fields.sessionId), firstTouch: firstTouchOf(first ?? touch) };
}

function touchFrom(fields: Record<string, unknown>): Touch | null {
  const campaign = campaignFromStored(fields);
  return (
    campaign && {
      ...campaign,
      timestamp: text(fields.timestamp),
      landingUrl: text(fields.landingUrl),
      referrer: text(fields.referrer),
    }
  );
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
