/**
 * The countries of the phone field: list, search, flags, and a guess at the visitor's own. They and their calling codes are
 * those of the phone library's metadata, their names the browser's English ones.
 */
import { getCountries, getCountryCallingCode } from "libphonenumber-js/core";
import metadata from "libphonenumber-js/metadata.min.json";
import { state } from "@/lib/pageState";
import { regionOfLanguage } from "@/lib/region";
import { read, type Unchecked } from "@/lib/request";
import { regionOfOtherCode } from "./phone";

export interface Country {
  /** Unique among options: the bare code, or code-region where several share it ("+1", "+1-ca"). */
  id: string;
  /** The bare code, as shown and as sent: "+44". */
  dialCode: string;
  /** ISO 3166-1 region, "GB". */
  iso: string;
  name: string;
  /** More words that the search finds it by. */
  alias: string;
}

/** The region that the bare code stands for where several share it. */
const OWNERS = new Set(["US", "RU", "IT", "GB", "AU", "NO", "FI", "MA", "RE", "GP", "CW", "SH"]);

const PRIORITY: readonly (readonly [iso: string, name: string])[] = [
  ["GB", "UK"],
  ["US", "USA"],
  ["AU", "AUS"],
  ["CA", "CAN"],
  ["NZ", "NZ"],
];

const ALIASES: Record<string, string> = {
  GB: "United Kingdom Great Britain England Scotland Wales Northern Ireland",
  US: "United States America",
  AU: "Australia",
  CA: "Canada",
  NZ: "New Zealand",
  TR: "Turkey",
  AE: "UAE Dubai",
  NL: "Holland",
  CZ: "Czech Republic",
};

/** Where the browsers' own are longer, shorter, or another in older ones. */
const NAMES: Record<string, string> = {
  CD: "Congo (DRC)",
  CG: "Congo (Republic)",
  HK: "Hong Kong",
  MO: "Macao",
  MM: "Myanmar",
  PS: "Palestine",
  VC: "Saint Vincent and the Grenadines",
  TR: "Türkiye",
  VI: "US Virgin Islands",
};

const english = new Intl.DisplayNames("en", { type: "region" });

/** Browsers write "St. Kitts & Nevis". */
const nameOf = (iso: string) => NAMES[iso] ?? `${english.of(iso)}`.replace("&", "and").replace(/^St\. /, "Saint ");

const rows = getCountries(metadata).map((iso) => ({ iso, code: getCountryCallingCode(iso, metadata) }));

function option({ iso, code }: (typeof rows)[number]): Country {
  const alone = OWNERS.has(iso) || rows.filter((row) => row.code === code).length === 1;
  const id = alone ? `+${code}` : `+${code}-${iso.toLowerCase()}`;
  return { id, dialCode: `+${code}`, iso, name: nameOf(iso), alias: ALIASES[iso] ?? "" };
}

const { compare } = new Intl.Collator("en");
const all = rows.map(option).sort((one, other) => compare(one.name, other.name));

export const priorityCountries: readonly Country[] = PRIORITY.flatMap(([iso, name]) =>
  all.filter((country) => country.iso === iso).map((country) => ({ ...country, name })),
);

export const otherCountries: readonly Country[] = all.filter(({ iso }) => !PRIORITY.some(([first]) => first === iso));

/** In the order of the open list. */
export const everyCountry: readonly Country[] = [...priorityCountries, ...otherCountries];

/** Also by the text of a native option, which ends with the id. */
export function countryById(id: string): Country | undefined {
  return everyCountry.find((country) => country.id === id.replace(/^.* /, ""));
}

/** The option of an ISO region, in any case; undefined for a region without a calling code. */
export function countryByRegion(region: string): Country | undefined {
  const iso = region.toUpperCase();
  return everyCountry.find((country) => country.iso === iso);
}

/** The option for a number typed with another calling code than the selected one; undefined when there is none. */
export function otherCountry(typed: string, dialCode: string): Country | undefined {
  const region = regionOfOtherCode(typed, dialCode);
  return region === null ? undefined : countryByRegion(region);
}

/** What a region is called in a language; "" where the browser does not know. */
function nameIn(language: string, iso: string): string {
  try {
    return new Intl.DisplayNames(language, { type: "region", fallback: "none" }).of(iso) ?? "";
  } catch {
    return "";
  }
}

/** Filled by the first search: naming every country takes a phone milliseconds. */
const native = new Map<string, readonly string[]>();

/** Each country's name in its own main language and in the browser's. Only searched: "deutsch" finds Germany. */
function nativeNames(iso: string): readonly string[] {
  const known = native.get(iso);
  if (known) {
    return known;
  }
  const { language } = new Intl.Locale(`und-${iso}`).maximize();
  const names = [plain(nameIn(language, iso)), plain(nameIn(navigator.language, iso))];
  native.set(iso, names);
  return names;
}

function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** How well a country fits: 0 for a name typed whole, 1 for the beginning of a name, 2 for that of a further word. */
function rank({ name, alias, iso }: Country, wanted: string): number | null {
  const names = [plain(name), ...nativeNames(iso)];
  if (names.includes(wanted)) {
    return 0;
  }
  const texts = [...names, plain(alias), plain(iso)];
  if (texts.some((text) => text.startsWith(wanted))) {
    return 1;
  }
  return texts.some((text) => text.includes(` ${wanted}`) || text.includes(`-${wanted}`)) ? 2 : null;
}

/**
 * The options of which a word (name, alias, region) or the calling code starts with what was typed. The best come first,
 * so that "Ireland" is not Northern Ireland; equals keep their order.
 */
export function searchCountries(countries: readonly Country[], typed: string): readonly Country[] {
  const wanted = plain(typed).trim();
  if (wanted === "") {
    return countries;
  }
  if (/^\+?\d+$/.test(wanted)) {
    return countries.filter(({ dialCode }) => dialCode.slice(1).startsWith(wanted.replace("+", "")));
  }
  return countries
    .flatMap((country) => {
      const place = rank(country, wanted);
      return place === null ? [] : [{ country, place }];
    })
    .sort((one, other) => one.place - other.place)
    .map(({ country }) => country);
}

/** The address of a region's flag: one small file each, fetched when it comes into view. */
export function flagUrl(iso: string): string {
  const [start, end] = FLAG_FILES;
  return start + (import.meta.env.DEV ? iso : iso.toLowerCase()) + end;
}

const GEO_TIMEOUT_MS = 3000;

async function regionByAddress(): Promise<string | null> {
  try {
    const answer = await read(["/api/geo"], { signal: AbortSignal.timeout(GEO_TIMEOUT_MS) });
    const { country_code: region }: Unchecked<"/api/geo"> = { ...(answer as object) };
    if (typeof region !== "string") {
      return null;
    }
    state.region = region;
    return region;
  } catch {
    return null;
  }
}

/** The option of the first language that names a region with a calling code ("en-AU"), or undefined. */
export function countryByLanguages(languages: readonly string[]): Country | undefined {
  for (const language of languages) {
    const region = regionOfLanguage(language);
    const country = region ? countryByRegion(region) : undefined;
    if (country) {
      return country;
    }
  }
  return undefined;
}

/** Guesses the visitor's country: by address, else by the browser's languages, else +44. Never throws. */
export async function guessCountry(languages: readonly string[]): Promise<Country> {
  const region = await regionByAddress();
  const found = (region ? countryByRegion(region) : undefined) ?? countryByLanguages(languages);
  return found ?? (countryById("+44") as Country);
}
