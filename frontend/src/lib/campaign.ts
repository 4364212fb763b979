/** Campaign parameters: which query parameter belongs to which field. Pure. */

/** For each field the parameters that may carry it; the first one that is not empty wins. */
const SOURCES = {
  googleCampaign: ["utm_campaign", "campaign"],
  googleAdgroup: ["utm_content", "adgroup"],
  googleKeyword: ["utm_term", "keyword"],
  googleAd: ["utm_source", "creative"],
  googleGclid: ["gclid"],
  utmSource: ["utm_source"],
  utmMedium: ["utm_medium"],
  utmContent: ["utm_content"],
  utmTerm: ["utm_term"],
  googleMatchtype: ["matchtype"],
  googleNetwork: ["network"],
  googleDevice: ["device"],
  gbraid: ["gbraid"],
  wbraid: ["wbraid"],
  fbclid: ["fbclid"],
  msclkid: ["msclkid"],
} as const satisfies Record<string, readonly string[]>;

export type CampaignField = keyof typeof SOURCES;
export type Campaign = Record<CampaignField, string | null>;

const FIELDS = Object.keys(SOURCES) as CampaignField[];
/** In characters; the API truncates tracking text to the same length. */
const MAX_LENGTH = 255;

function gather(pick: (field: CampaignField) => string | null): Campaign {
  return Object.fromEntries(FIELDS.map((field) => [field, pick(field)])) as Campaign;
}

export const NO_CAMPAIGN: Campaign = gather(() => null);

/** At most `length` characters, counted as the API counts them (by code points). */
export function truncate(text: string, length: number): string {
  return text.length > length ? [...text].slice(0, length).join("").trimEnd() : text;
}

/** Whether every field that `part` has is the same in `whole`. */
export function isPartOf(part: Campaign, whole: Campaign): boolean {
  return FIELDS.every((field) => part[field] === null || part[field] === whole[field]);
}

const orNull = (campaign: Campaign) => (isPartOf(campaign, NO_CAMPAIGN) ? null : campaign);

/** The campaign named by an address's query, or null when it names none. */
export function campaignFromSearch(search: string): Campaign | null {
  const parameters = new URLSearchParams(search);
  const found = (field: CampaignField) =>
    SOURCES[field]
      .flatMap((name) => parameters.getAll(name))
      .map((value) => value.trim())
      .find(Boolean);
  return orNull(gather((field) => truncate(found(field) ?? "", MAX_LENGTH) || null));
}

/** A campaign out of stored JSON, or null when it holds none; values that are not text are left out. */
export function campaignFromStored(stored: Record<string, unknown>): Campaign | null {
  return orNull(
    gather((field) => {
      const value = stored[field];
      return typeof value === "string" && value !== "" ? value : null;
    }),
  );
}
