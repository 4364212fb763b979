/** By which day the clinic has called. */

/** When the clinic is open, as in content/clinic.yaml. */
export interface Hours {
  days: readonly string[];
  /** Like "19:00". */
  closes: string;
}

const WEEK = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Türkiye keeps UTC+3 all year. */
const CLINIC_AHEAD_MS = 3 * HOUR_MS;

/**
 * When the clinic closes on the day of this moment, or on the first day after it on which it is open. Moments are
 * milliseconds since the epoch.
 */
export function closingFrom(moment: number, { days, closes }: Hours): number {
  const [hours = 0, minutes = 0] = closes.split(":").map(Number);
  const onClinicsClock = moment + CLINIC_AHEAD_MS;
  const midnight = onClinicsClock - (onClinicsClock % DAY_MS);
  const isOpen = (day: number) => days.includes(WEEK[new Date(midnight + day * DAY_MS).getUTCDay()] ?? "");
  const wait = WEEK.findIndex((_, day) => isOpen(day));
  return midnight + Math.max(wait, 0) * DAY_MS + hours * HOUR_MS + minutes * 60_000 - CLINIC_AHEAD_MS;
}
