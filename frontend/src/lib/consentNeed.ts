/** Which purposes this deployment needs consent for, and the link from the footer to the banner. */
import type { Purpose } from "./consent";
import type { Settings } from "./pageSettings";
import { state } from "./pageState";

/** The purposes that a configured tag, or storing the campaign, needs consent for. When empty, no banner is shown. */
export function purposesOf(settings: Settings): Purpose[] {
  const advertising =
    settings.googleAdsConversion || settings.metaPixelId || settings.attributionStorage === "after-consent";
  return [
    ...(settings.analyticsId ? (["analytics"] as const) : []),
    ...(advertising ? (["advertising"] as const) : []),
  ];
}

/** Tells the banner's code that the question is asked for again. */
const ASK_AGAIN = "ask-again";

/** Reopens the banner, at once or as soon as its code has loaded. */
export function askAgain(): void {
  state.asked = true;
  window.dispatchEvent(new Event(ASK_AGAIN));
}

/** Calls `show` whenever the banner is asked for, and at once where it has been. Returns a function to stop. */
export function onAskAgain(show: () => void): () => void {
  const answer = () => {
    if (state.asked) {
      state.asked = false;
      show();
    }
  };
  window.addEventListener(ASK_AGAIN, answer);
  answer();
  return () => window.removeEventListener(ASK_AGAIN, answer);
}
