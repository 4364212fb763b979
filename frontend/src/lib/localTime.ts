/** A moment in the visitor's own zone, as "Saturday 22 November, 14:05". */
export function localTime(moment: number, timeZone?: string): string {
  const date = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone });
  const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
  return `${date.format(moment).replace(",", "")}, ${time.format(moment)}`;
}
