/** Which offers run on a day. Days are texts like 2026-12-31; the last day still counts, in the clinic's time zone. */

const CLINIC_ZONE = "Europe/Istanbul";
const DAY_MS = 86_400_000;
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

export interface Period {
  starts: string;
  ends: string;
}

/** The calendar day at the clinic. From parts: how a locale writes a date differs between browsers. */
export function clinicDay(now: Date): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: CLINIC_ZONE,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
}

export function isRunning({ starts, ends }: Period, day: string): boolean {
  return starts <= day && day <= ends;
}

/** Whole days after `day` until the last one; 0 on the last day itself. */
export function daysLeft({ ends }: Period, day: string): number {
  return Math.round((Date.parse(ends) - Date.parse(day)) / DAY_MS);
}

/** A day in words: 31 December 2026. Without Intl, for the same reason as prices. */
export function dayInWords(day: string): string {
  const [year, month, date] = day.split("-").map(Number);
  return `${date} ${MONTHS[(month ?? 0) - 1]} ${year}`;
}
