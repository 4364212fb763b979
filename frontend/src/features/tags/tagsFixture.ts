/** For tests only: what the tags have received. */
import { conversion, lead } from "#content/tracking.yaml";
import { giveConsent } from "@/lib/consent";
import { DEFAULT_SETTINGS, type Settings } from "@/lib/pageSettings";
import { startTags } from "./startTags";

const SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  googleAdsConversion: "AW-1/label",
  metaPixelId: "42",
  analyticsId: "G-1",
};

const VALUES = { conversion, lead };

/** Commands in Google's queue, as plain lists. */
export const googleCalls = () => (window.dataLayer ?? []).map((call) => [...(call as IArguments)]);
export const googleEvents = () => googleCalls().filter(([name]) => name === "event");
export const metaCalls = () => window.fbq?.queue ?? [];
export const scripts = () => [...document.querySelectorAll("script[src]")].map((each) => each.getAttribute("src"));

let stop = () => {};

export function start(settings: Partial<Settings> = {}, consent: Parameters<typeof startTags>[2] = null) {
  stop = startTags({ ...SETTINGS, ...settings }, VALUES, consent);
}

export const choose = (analytics: boolean, advertising: boolean) =>
  giveConsent({ version: "1", choice: { analytics, advertising }, at: new Date().toISOString() });

/** Puts the page back to what it was before any tag. */
export function clearTags() {
  stop();
  delete window.dataLayer;
  delete window.fbq;
  for (const script of document.querySelectorAll("script[src]")) {
    script.remove();
  }
  window.history.replaceState(null, "", "/");
}
