import { useSyncExternalStore } from "react";
import { pageSettings, type Settings, servedSettings } from "./settings";

const never = () => () => {};

/** The deployment's settings. Hydration takes them as the served page was written, so that it matches. */
export function useSettings(): Settings {
  return useSyncExternalStore(never, pageSettings, servedSettings);
}
