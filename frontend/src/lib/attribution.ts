/**
 * Stores the arrivals with campaign parameters that brought the visitor: the last one, and the very first one.
 * Only this file touches `google_ads_data`. Consent code calls two functions, each safe at any time and repeatedly:
 * - `persistAttribution()` when advertising consent is given, and on each load while it is valid;
 * - `forgetAttribution()` when it is refused or withdrawn, and on each load while the answer is no
 *   (in "immediate" mode an arrival is stored before anybody has asked).
 * This page's own arrival stays in memory in any case, and is sent with what the visitor sends from this page.
 */
import { type Campaign, campaignFromSearch, campaignFromStored, isPartOf, truncate } from "./campaign";
import { sessionId } from "./ids";
import type { Settings } from "./pageSettings";
import { state } from "./pageState";
import { forget, readJson, writeJson } from "./storage";

const KEY = "google_ads_data";
/** In characters; the API truncates addresses to the same length. */
export const MAX_URL_LENGTH = 2048;

/** One arrival from a campaign. */
interface Touch extends Campaign {
  /** When it was, ISO 8601 in UTC. */
  timestamp: string;
  /** The landing page's address, and the page before it ("" when the browser does not report it). */
  landingUrl: string;
  referrer: string;
}

/** An arrival, without empty fields. */
export type FirstTouch = Partial<Record<keyof Touch, string>>;

/** The last arrival, and within it the first one, which is the same when there was only one. */
export interface Attribution extends Touch {
  sessionId: string;
  firstTouch: FirstTouch;
}

export interface Arrival {
  url: string;
  referrer: string;
  at: Date;
}

/** Records the arrival on this page. Without campaign parameters an earlier campaign remains. */
export function noteArrival({ url, referrer, at }: Arrival, mode: Settings["attributionStorage"]): void {
  const landingUrl = truncate(url, MAX_URL_LENGTH);
  const campaign = campaignFromSearch(new URL(url).search);
  const before = { landingUrl, referrer: truncate(referrer, MAX_URL_LENGTH) };
  state.landingUrl = landingUrl;
  state.arrived = campaign && attributionOf({ ...campaign, timestamp: at.toISOString(), ...before });
  if (mode === "immediate") {
    persistAttribution();
  }
}

/** Stores this page's arrival in local storage. To be called on consent. */
export function persistAttribution(): void {
  if (state.arrived !== null) {
    writeJson("local", KEY, state.arrived);
  }
}

/** Removes what this and earlier visits stored in local storage. To be called when consent is withdrawn. */
export function forgetAttribution(): void {
  forget("local", KEY);
  if (state.arrived !== null) {
    state.arrived = { ...state.arrived, firstTouch: firstTouchOf(state.arrived) };
  }
}

/** This page's arrival from a campaign, else the stored one, else null. */
export function currentAttribution(): Attribution | null {
  return state.arrived ?? stored();
}

/** The address of the campaign's landing page, else of this visit's first page. */
export function currentLandingUrl(): string {
  return currentAttribution()?.landingUrl || state.landingUrl;
}

/**
 * A reload, or going back to the advertisement's address, repeats an earlier arrival and is no new one; also where the
 * tags have removed parameters from that address.
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
