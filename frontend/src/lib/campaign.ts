/** Campaign parameters: which part of an address means which field. Pure. */
export interface Campaign {
  googleCampaign: string | null;
  googleAdgroup: string | null;
  googleKeyword: string | null;
  googleAd: string | null;
  googleGclid: string | null;
  utmSource: string | null;
  utmMedium: string | null;
  utmContent: string | null;
  utmTerm: string | null;
  googleMatchtype: string | null;
  googleNetwork: string | null;
  googleDevice: string | null;
}

/** For each field the parameters that may carry it; the first one present wins. */
const SOURCES: Record<keyof Campaign, readonly string[]> = {
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
};

const FIELDS = Object.keys(SOURCES) as (keyof Campaign)[];
/** The API cuts tracking text here too. */
const LONGEST = 255;

function gather(pick: (field: keyof Campaign) => string | null): Campaign {
  return Object.fromEntries(FIELDS.map((field) => [field, pick(field)])) as unknown as Campaign;
}

export const NO_CAMPAIGN: Campaign = gather(() => null);

/** The campaign named by an address's query, or null when it names none. */
export function campaignFromSearch(search: string): Campaign | null {
  const parameters = new URLSearchParams(search);
  const campaign = gather((field) => {
    const value = SOURCES[field].map((name) => parameters.get(name)?.trim()).find(Boolean);
    return value?.slice(0, LONGEST) ?? null;
  });
  return FIELDS.some((field) => campaign[field] !== null) ? campaign : null;
}

/** A campaign out of stored JSON, field by field; anything that is not text becomes null. */
export function campaignFromStored(stored: Record<string, unknown>): Campaign {
  return gather((field) => {
    const value = stored[field];
    return typeof value === "string" ? value : null;
  });
}
