/** Remembers which campaign brought the visitor, as far as the storage mode and consent allow. */
import { type Campaign, campaignFromSearch, campaignFromStored } from "./campaign";
import { sessionId } from "./session";
import type { Settings } from "./settings";
import { readJson, writeJson } from "./storage";

const KEY = "google_ads_data";

export interface Attribution extends Campaign {
  /** When the visitor arrived with it, ISO 8601 in UTC. */
  timestamp: string;
  sessionId: string;
}

let arrived: Attribution | null = null;

/** Notes the campaign in `search`. A later visit without parameters keeps the earlier campaign. */
export function noteArrival(search: string, mode: Settings["attributionStorage"], now: Date): void {
  const campaign = campaignFromSearch(search);
  if (campaign === null) {
    return;
  }
  arrived = { ...campaign, timestamp: now.toISOString(), sessionId: sessionId() };
  if (mode === "immediate") {
    persistAttribution();
  }
}

/** To be called when the visitor consents: what was kept in memory goes to local storage. */
export function persistAttribution(): void {
  if (arrived !== null) {
    writeJson("local", KEY, arrived);
  }
}

/** The campaign of this visit, else the stored one, else null. */
export function currentAttribution(): Attribution | null {
  if (arrived !== null) {
    return arrived;
  }
  const stored = readJson("local", KEY);
  if (typeof stored !== "object" || stored === null) {
    return null;
  }
  const fields: Record<string, unknown> = { ...stored };
  return {
    ...campaignFromStored(fields),
    timestamp: typeof fields.timestamp === "string" ? fields.timestamp : "",
    sessionId: typeof fields.sessionId === "string" ? fields.sessionId : "",
  };
}

/** Forgets the campaign held in memory. For a withdrawn consent and for tests. */
export function forgetArrival(): void {
  arrived = null;
}
