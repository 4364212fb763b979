import { useMemo, useSyncExternalStore } from "react";
import { type Retention, retentionOf } from "./retention";

const never = () => () => {};
const block = () => document.getElementById("settings")?.textContent ?? null;

/** How long this deployment keeps things. Pre-rendering and the first paint use the defaults. */
export function useRetention(): Retention {
  const json = useSyncExternalStore(never, block, () => null);
  return useMemo(() => retentionOf(json), [json]);
}
