/** The API's bodies and answers, generated from its OpenAPI document by `make fix`. Do not edit. */

export interface Api {
  "/api/leads": {
    body: Lead;
    answer: LeadReceipt;
  };
  "/api/details": {
    body: Details;
    answer: DetailsReceipt;
  };
  "/api/whatsapp-click": {
    body: Click;
    answer: ClickReceipt;
  };
  "/api/page-failures": {
    body: PageFailure;
    answer: null;
  };
  "/api/geo": {
    answer: Country;
  };
  "/api/start": {
    answer: Start;
  };
}
export interface Lead {
  timestamp?: string | null;
  firstTouch?: {
    googleCampaign?: string | null;
    googleAdgroup?: string | null;
    googleKeyword?: string | null;
    googleAd?: string | null;
    googleGclid?: string | null;
    utmSource?: string | null;
    utmMedium?: string | null;
    utmContent?: string | null;
    utmTerm?: string | null;
    googleMatchtype?: string | null;
    googleNetwork?: string | null;
    googleDevice?: string | null;
    gbraid?: string | null;
    wbraid?: string | null;
    fbclid?: string | null;
    msclkid?: string | null;
    adsTimestamp?: string | null;
    landingUrl?: string | null;
    referrer?: string | null;
    timestamp?: string | null;
  } | null;
  googleCampaign?: string | null;
  googleAdgroup?: string | null;
  googleKeyword?: string | null;
  googleAd?: string | null;
  googleGclid?: string | null;
  utmSource?: string | null;
  utmMedium?: string | null;
  utmContent?: string | null;
  utmTerm?: string | null;
  googleMatchtype?: string | null;
  googleNetwork?: string | null;
  googleDevice?: string | null;
  gbraid?: string | null;
  wbraid?: string | null;
  fbclid?: string | null;
  msclkid?: string | null;
  adsTimestamp?: string | null;
  eventId?: string | null;
  sessionId?: string | null;
  deviceType?: string | null;
  browserName?: string | null;
  browserVersion?: string | null;
  operatingSystem?: string | null;
  screenResolution?: string | null;
  timezone?: string | null;
  language?: string | null;
  currentUrl?: string | null;
  landingUrl?: string | null;
  referrer?: string | null;
  userAgent?: string | null;
  name: string;
  surname: string;
  email: string;
  website?: string;
  countryCode: string;
  countryIso?: string | null;
  phone: string;
  message?: string | null;
  zc_gad?: string | null;
  consentVersion?: string | null;
  consentChoice?: {
    analytics?: boolean;
    advertising?: boolean;
  } | null;
  consentAt?: string | null;
  marketingOptIn?: boolean;
  marketingVersion?: string | null;
}
export interface LeadReceipt {
  success: true;
  id: string;
  reference: string;
  call: Call;
  details: DetailsOffer;
}
export interface Call {
  text: string;
  withinADay: boolean;
}
export interface DetailsOffer {
  token: string;
  interest: string | null;
  slots: Slot[];
  zone: string;
}
export interface Slot {
  until: string;
  day: string;
  time: string;
}
export interface Details {
  token: string;
  interest?: string | null;
  callUntil?: string | null;
  timezone?: string | null;
  has?: ("xray" | "photos" | "quote")[];
}
export interface DetailsReceipt {
  success: true;
  call:
    | ({
        [k: string]: unknown;
      } | null)
    | Call;
}
export interface Click {
  timestamp?: string | null;
  firstTouch?: {
    googleCampaign?: string | null;
    googleAdgroup?: string | null;
    googleKeyword?: string | null;
    googleAd?: string | null;
    googleGclid?: string | null;
    utmSource?: string | null;
    utmMedium?: string | null;
    utmContent?: string | null;
    utmTerm?: string | null;
    googleMatchtype?: string | null;
    googleNetwork?: string | null;
    googleDevice?: string | null;
    gbraid?: string | null;
    wbraid?: string | null;
    fbclid?: string | null;
    msclkid?: string | null;
    adsTimestamp?: string | null;
    landingUrl?: string | null;
    referrer?: string | null;
    timestamp?: string | null;
  } | null;
  googleCampaign?: string | null;
  googleAdgroup?: string | null;
  googleKeyword?: string | null;
  googleAd?: string | null;
  googleGclid?: string | null;
  utmSource?: string | null;
  utmMedium?: string | null;
  utmContent?: string | null;
  utmTerm?: string | null;
  googleMatchtype?: string | null;
  googleNetwork?: string | null;
  googleDevice?: string | null;
  gbraid?: string | null;
  wbraid?: string | null;
  fbclid?: string | null;
  msclkid?: string | null;
  adsTimestamp?: string | null;
  eventId?: string | null;
  sessionId?: string | null;
  deviceType?: string | null;
  browserName?: string | null;
  browserVersion?: string | null;
  operatingSystem?: string | null;
  screenResolution?: string | null;
  timezone?: string | null;
  language?: string | null;
  currentUrl?: string | null;
  landingUrl?: string | null;
  referrer?: string | null;
  userAgent?: string | null;
  uniqueCode: string;
  whatsappMessage: string;
  buttonLocation: string;
  countryIso?: string | null;
  analyticsClickId?: string | null;
  website?: string;
}
export interface ClickReceipt {
  success: true;
  id: string;
}
export interface PageFailure {
  kind?: string | null;
  file?: string | null;
}
export interface Country {
  country_code: string | null;
}
export interface Start {
  token: string;
  waitSeconds: number;
  renewSeconds: number;
  call: Call;
}
