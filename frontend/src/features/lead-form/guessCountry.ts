/** Guesses the visitor's country: by address, else by the browser's language region, else +44. Never throws. */
import { read } from "@/lib/request";
import { type Country, countryById, countryByRegion } from "./countries";
import { DEFAULT_COUNTRY } from "./fields";

export const GEO_TIMEOUT_MS = 3000;

/** Credentials go to our own server only. */
function credentialsFor(url: string): RequestCredentials {
  return new URL(url, window.location.href).origin === window.location.origin ? "include" : "omit";
}

async function regionByAddress(url: string): Promise<string | null> {
  try {
    const answer = await read([url], {
      signal: AbortSignal.timeout(GEO_TIMEOUT_MS),
      credentials: credentialsFor(url),
    });
    const { country_code: region }: { country_code?: unknown } = { ...(answer as object) };
    return typeof region === "string" ? region : null;
  } catch {
    return null;
  }
}

/** The option of the first language that names a region ("en-AU"), or undefined. Every region with a calling code counts. */
export function countryByLanguages(languages: readonly string[]): Country | undefined {
  for (const language of languages) {
    const region = /[-_]([A-Za-z]{2})(?:[-_]|$)/.exec(language)?.[1];
    const country = region ? countryByRegion(region) : undefined;
    if (country) {
      return country;
    }
  }
  return undefined;
}

export async function guessCountry(geoUrl: string, languages: readonly string[]): Promise<Country> {
  const region = await regionByAddress(geoUrl);
  const found = (region ? countryByRegion(region) : undefined) ?? countryByLanguages(languages);
  return found ?? (countryById(DEFAULT_COUNTRY.id) as Country);
}
