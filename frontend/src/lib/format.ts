/** Names and days as visitors read them. */

/** The initials of a name's first and last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => word?.[0]?.toLocaleUpperCase("en") ?? "").join("");
}

/** The day of a moment, in milliseconds since the epoch, in the visitor's own zone: as "Saturday 22 November". */
export function localDay(moment: number, timeZone?: string): string {
  const day = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone });
  return day.format(moment).replace(",", "");
}
