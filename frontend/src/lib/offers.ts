/** Which offers run on a day. Days are texts like 2026-12-31; the last day still counts, in the clinic's time zone. */

const CLINIC_ZONE = "Europe/Istanbul";
const DAY_MS = 86_400_000;

export interface Period {
  starts: string;
  ends: string;
}

/** The calendar day at the clinic. */
export function clinicDay(now: Date): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: CLINIC_ZONE }).format(now);
}

export function isRunning({ starts, ends }: Period, day: string): boolean {
  return starts <= day && day <= ends;
}

/** Whole days after `day` until the last one; 0 on the last day itself. */
export function daysLeft({ ends }: Period, day: string): number {
  return Math.round((Date.parse(ends) - Date.parse(day)) / DAY_MS);
}

/** A day in words: 31 December 2026. */
export function dayInWords(day: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(new Date(day));
}
