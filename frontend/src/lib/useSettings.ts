import { useSyncExternalStore } from "react";
import { DEFAULT_SETTINGS, pageSettings, type Settings } from "./settings";

const never = () => () => {};

/** The deployment's settings. Pre-rendering and the first paint use the defaults, so that hydration matches. */
export function useSettings(): Settings {
  return useSyncExternalStore(never, pageSettings, () => DEFAULT_SETTINGS);
}
