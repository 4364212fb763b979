/** Names and times as visitors read them. */

/** The initials of a name's first and last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => word?.[0]?.toLocaleUpperCase("en") ?? "").join("");
}

/** A moment, in milliseconds since the epoch, in the visitor's own zone: as "Saturday 22 November, 14:05". */
export function localTime(moment: number, timeZone?: string): string {
  const date = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone });
  const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
  return `${date.format(moment).replace(",", "")}, ${time.format(moment)}`;
}
