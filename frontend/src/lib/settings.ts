/** The deployment's settings and its sample content, for components. */
import { createContext, useContext } from "react";
import { useHydrated } from "./hydrated";
import { DEFAULT_SETTINGS, type Settings } from "./pageSettings";

/** Those of the page; while pre-rendering, what the page's markup is written with. */
export const SettingsContext = createContext<Settings>(DEFAULT_SETTINGS);

/** Hydration uses what the page was rendered with: the numbers are the server's, all else is as it is by default. */
export function useSettings(): Settings {
  const settings = useContext(SettingsContext);
  const { clinicPhone, clinicPhoneDigits, whatsappNumber } = settings;
  return useHydrated() ? settings : { ...DEFAULT_SETTINGS, clinicPhone, clinicPhoneDigits, whatsappNumber };
}

/** Whether this page shows content that is still marked as a sample. The same while pre-rendering and hydrating. */
export const useSamples = () => useContext(SettingsContext).showSamples;
