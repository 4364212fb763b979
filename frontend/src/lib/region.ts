/** The visitor's country as an ISO 3166-1 code, as far as the browser knows it. */

let located: string | null = null;

/** To be called with what the geolocation answered. */
export function noteRegion(iso: string): void {
  located = iso;
}

/** The region that a language names ("en-AU"), in capitals. */
export function regionOfLanguage(language: string): string | undefined {
  return /[-_]([A-Za-z]{2})(?:[-_]|$)/.exec(language)?.[1]?.toUpperCase();
}

/** The located country, else that of the first language that names one, else null. */
export function visitorRegion(languages: readonly string[]): string | null {
  return located ?? languages.map(regionOfLanguage).find(Boolean) ?? null;
}
