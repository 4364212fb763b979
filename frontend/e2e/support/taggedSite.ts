/** The site as a deployment with tags has it. */
import { type OwnSite, startOwnSite } from "./ownSite";

export const IDS = { ads: "AW-1000000000/e2e", analytics: "G-E2E0000000", pixel: "100000000000001" };

/** `sink`: where the tags' scripts come from. */
export function startTaggedSite(sink: string): Promise<OwnSite> {
  return startOwnSite({
    GOOGLE_ADS_CONVERSION: IDS.ads,
    ANALYTICS_ID: IDS.analytics,
    META_PIXEL_ID: IDS.pixel,
    GOOGLE_TAG_URL: `${sink}/gtag/js`,
    META_SCRIPT_URL: `${sink}/fbevents.js`,
    ATTRIBUTION_STORAGE: "after-consent",
  });
}
