/** Which purposes this deployment needs consent for, and the link from the footer to the banner. */
import type { Purpose } from "./consent";
import type { Settings } from "./pageSettings";

/** The purposes that a configured tag, or storing the campaign, needs consent for. When empty, no banner is shown. */
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

/** Reopens the banner, at once or as soon as its code has loaded. */
export function askAgain(): void {
  if (show) {
    show();
  } else {
    wanted = true;
  }
}

/** Registers how to show the banner; null unregisters. */
export function onAskAgain(shower: (() => void) | null): void {
  show = shower;
  if (show && wanted) {
    wanted = false;
    show();
  }
}
