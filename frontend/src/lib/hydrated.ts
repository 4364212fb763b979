import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False in the page as it was painted: what only a script can do is offered once there is one. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
