/** Whether this deployment has anything to ask consent for, and the way from the footer to the question. */
import type { Purpose } from "./consent";
import type { Settings } from "./settings";

/** What to ask about: only what a configured tag, or keeping the campaign, needs a yes for. None: nobody is asked. */
export function purposesOf(settings: Settings): Purpose[] {
  const advertising =
    settings.googleAdsConversion || settings.metaPixelId || settings.attributionStorage === "after-consent";
  return [
    ...(settings.analyticsId ? (["analytics"] as const) : []),
    ...(advertising ? (["advertising"] as const) : []),
  ];
}

let show: (() => void) | null = null;
let wanted = false;

/** Shows the question again, at once or as soon as its code is there. */
export function askAgain(): void {
  if (show) {
    show();
  } else {
    wanted = true;
  }
}

/** How to show the question; null when it cannot be shown any more. */
export function onAskAgain(shower: (() => void) | null): void {
  show = shower;
  if (show && wanted) {
    wanted = false;
    show();
  }
}
