/** What this page knows and no storage holds. One object: the first script and the app both read it. */
import type { Attribution } from "./attribution";
import type { Consent } from "./consent";
import type { SiteEvent } from "./events";

const fresh = () => ({
  /** The address of this page, as it was opened. */
  landingUrl: "",
  /** The arrival on this page, where it came from a campaign. */
  arrived: null as Attribution | null,
  /** The session's id, where it cannot be stored. */
  sessionId: null as string | null,
  /** The visitor's country, as the geolocation answered. */
  region: null as string | null,
  /** The answer to the question about cookies, where it cannot be stored. */
  consent: null as Consent | null,
  /** Whether the question was asked for before its code had loaded. */
  asked: false,
  /** Whether a tag counts statistics. */
  counted: false,
  /** Events reported before the tags' code loaded; null afterwards. */
  early: [] as SiteEvent[] | null,
  /** The failures that were reported. */
  failures: new Set<string>(),
});

export const state = fresh();

/** For tests: as if the page had just been loaded. */
export const resetState = () => Object.assign(state, fresh());
