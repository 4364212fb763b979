/** The deployment's settings and its sample content, for components. */
import { createContext, useContext, useSyncExternalStore } from "react";
import { DEFAULT_SETTINGS, NUMBER_TOKENS, pageSettings, type Settings } from "./pageSettings";

const PRE_RENDERED: Settings = { ...DEFAULT_SETTINGS, ...NUMBER_TOKENS };

let served: { page: Settings; settings: Settings } | null = null;

/** What the page's markup was written with: the defaults, and the numbers that the server filled in. */
export function servedSettings(): Settings {
  if (typeof document === "undefined") {
    return PRE_RENDERED;
  }
  const page = pageSettings();
  if (served?.page !== page) {
    const { clinicPhone, clinicPhoneDigits, whatsappNumber } = page;
    served = { page, settings: { ...DEFAULT_SETTINGS, clinicPhone, clinicPhoneDigits, whatsappNumber } };
  }
  return served.settings;
}

const never = () => () => {};

/** The deployment's settings. Hydration uses those that the page was rendered with, so that it matches. */
export function useSettings(): Settings {
  return useSyncExternalStore(never, pageSettings, servedSettings);
}

/** Set only while pre-rendering: every page is written twice, with and without sample content. */
export const SamplesContext = createContext<boolean | null>(null);

/** Whether this page shows content that is still marked as a sample. The same while pre-rendering and hydrating. */
export function useSamples(): boolean {
  return useContext(SamplesContext) ?? pageSettings().showSamples;
}
