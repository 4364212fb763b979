/** How long the server keeps data, from the page's #settings block. Apart from settings.ts: only one page needs it. */
import { useMemo, useSyncExternalStore } from "react";

export interface Retention {
  months: number;
  days: number;
}

export const DEFAULT_RETENTION: Retention = { months: 24, days: 30 };

function whole(value: unknown, fallback: number): number {
  return Number.isInteger(value) ? Number(value) : fallback;
}

/** Parses the text of the page's #settings block; absent or invalid values fall back to the defaults. */
export function retentionOf(json: string | null): Retention {
  try {
    const given: Record<string, unknown> = { ...JSON.parse(json ?? "{}") };
    return {
      months: whole(given.retentionMonths, DEFAULT_RETENTION.months),
      days: whole(given.addressDays, DEFAULT_RETENTION.days),
    };
  } catch {
    return DEFAULT_RETENTION;
  }
}

const never = () => () => {};
const block = () => document.getElementById("settings")?.textContent ?? null;

/** How long this deployment keeps data. Pre-rendering and the first paint use the defaults. */
export function useRetention(): Retention {
  const json = useSyncExternalStore(never, block, () => null);
  return useMemo(() => retentionOf(json), [json]);
}
