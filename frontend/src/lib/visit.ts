/** What every call about this visitor carries besides their own words: attribution, session, browser. */
import { currentAttribution } from "./attribution";
import { type Campaign, NO_CAMPAIGN } from "./campaign";
import { type DeviceFacts, describeDevice } from "./device";
import { sessionId } from "./session";

export interface Visit extends Campaign, DeviceFacts {
  timestamp: string | null;
  sessionId: string;
  currentUrl: string;
  referrer: string;
}

export function describeVisit(): Visit {
  const attribution = currentAttribution();
  return {
    ...(attribution ?? NO_CAMPAIGN),
    timestamp: attribution?.timestamp || null,
    sessionId: sessionId(),
    currentUrl: window.location.href,
    referrer: document.referrer,
    ...describeDevice(window.navigator, window.screen),
  };
}
