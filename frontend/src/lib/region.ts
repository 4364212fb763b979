/** The visitor's country as an ISO 3166-1 code, as far as the browser knows it. */
import { state } from "./pageState";

/** The region that a language names ("en-AU"), in capitals. */
export function regionOfLanguage(language: string): string | undefined {
  return /[-_]([A-Za-z]{2})(?:[-_]|$)/.exec(language)?.[1]?.toUpperCase();
}

/** The located country, else that of the first language that names one, else null. */
export function visitorRegion(languages: readonly string[]): string | null {
  return state.region ?? languages.map(regionOfLanguage).find(Boolean) ?? null;
}
