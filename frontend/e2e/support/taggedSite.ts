/** The site as a deployment with tags has it. */
import { type OwnSite, startOwnSite } from "./ownSite";

export const IDS = { ads: "AW-1000000000/e2e", analytics: "G-E2E0000000", pixel: "100000000000001" };

export function startTaggedSite(): Promise<OwnSite> {
  return startOwnSite({
    GOOGLE_ADS_CONVERSION: IDS.ads,
    ANALYTICS_ID: IDS.analytics,
    META_PIXEL_ID: IDS.pixel,
    ATTRIBUTION_STORAGE: "after-consent",
  });
}
