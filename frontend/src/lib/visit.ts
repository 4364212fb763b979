/** What is sent with every enquiry and click besides the visitor's own words: attribution, session, browser. */
import { currentAttribution, currentLandingUrl, type FirstTouch, MAX_URL_LENGTH } from "./attribution";
import { type Campaign, NO_CAMPAIGN, truncate } from "./campaign";
import { type DeviceFacts, describeDevice } from "./device";
import { readFacts } from "./facts";
import { sessionId } from "./ids";

export interface Visit extends Campaign, DeviceFacts {
  timestamp: string | null;
  firstTouch: FirstTouch | null;
  sessionId: string;
  currentUrl: string;
  landingUrl: string;
  referrer: string;
}

/** The external page that led here: to this page, else to the campaign's landing page. */
function cameFrom(referrer: string, remembered: string | undefined): string {
  const outside = referrer.startsWith(`${window.location.origin}/`) ? "" : referrer;
  return outside || remembered || referrer;
}

export function describeVisit(): Partial<Visit> {
  const { attribution = null } = readFacts({ attribution: currentAttribution });
  return {
    ...(attribution ?? NO_CAMPAIGN),
    ...readFacts({
      timestamp: () => attribution?.timestamp || null,
      firstTouch: () => attribution?.firstTouch ?? null,
      sessionId,
      currentUrl: () => truncate(window.location.href, MAX_URL_LENGTH),
      landingUrl: currentLandingUrl,
      referrer: () => truncate(cameFrom(document.referrer, attribution?.referrer), MAX_URL_LENGTH),
    }),
    ...describeDevice(window.navigator, window.screen),
  };
}
