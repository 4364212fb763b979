import { createContext, useContext, useSyncExternalStore } from "react";

/** What differs between deployments, from the page's #settings block. Absent or invalid values fall back one by one. */
export interface Settings {
  clinicPhone: string;
  /** The same as a tel: link takes it. */
  clinicPhoneDigits: string;
  /** Digits only, with the country code. */
  whatsappNumber: string;
  geoUrl: string;
  attributionStorage: "immediate" | "after-consent";
  googleAdsConversion: string | null;
  metaPixelId: string | null;
  analyticsId: string | null;
  /** Where the tags' scripts are loaded from, after consent. */
  googleTagUrl: string;
  metaScriptUrl: string;
  environment: "development" | "production";
  /** Whether the server sends an e-mail that acknowledges each enquiry. */
  mailEnabled: boolean;
  /** Whether the server sent the pages that hold sample content. */
  showSamples: boolean;
}

/** The numbers are placeholders, seen only in development: a served page has the clinic's. */
export const DEFAULT_SETTINGS: Settings = {
  clinicPhone: "+90 212 000 00 00",
  clinicPhoneDigits: "+902120000000",
  whatsappNumber: "902120000000",
  geoUrl: "/api/geo",
  attributionStorage: "after-consent",
  googleAdsConversion: null,
  metaPixelId: null,
  analyticsId: null,
  googleTagUrl: "https://www.googletagmanager.com/gtag/js",
  metaScriptUrl: "https://connect.facebook.net/en_US/fbevents.js",
  environment: "production",
  mailEnabled: false,
  showSamples: false,
};

/** What pre-rendered pages hold instead of numbers. The build checks them, the server (web/browser_settings.py) fills them. */
export const NUMBER_TOKENS = {
  clinicPhone: "{{clinic-phone}}",
  clinicPhoneDigits: "{{clinic-phone-digits}}",
  whatsappNumber: "{{whatsapp-number}}",
} as const satisfies Partial<Settings>;

const PRE_RENDERED: Settings = { ...DEFAULT_SETTINGS, ...NUMBER_TOKENS };

function text(value: unknown, fallback: string): string {
  return typeof value === "string" && value.trim() !== "" ? value : fallback;
}

function optionalText(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

function oneOf<Choice extends string>(value: unknown, choices: readonly Choice[], fallback: Choice): Choice {
  return choices.find((choice) => choice === value) ?? fallback;
}

/** Parses the block's text; null or invalid text results in the defaults. */
export function parseSettings(json: string | null): Settings {
  let given: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(json ?? "{}");
    given = typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    given = {};
  }
  const clinicPhone = text(given.clinicPhone, DEFAULT_SETTINGS.clinicPhone);
  const whatsappDigits = text(given.whatsappNumber, "").replace(/\D/g, "");
  return {
    clinicPhone,
    clinicPhoneDigits: clinicPhone.replace(/[^\d+]/g, ""),
    whatsappNumber: text(whatsappDigits, DEFAULT_SETTINGS.whatsappNumber),
    geoUrl: text(given.geoUrl, DEFAULT_SETTINGS.geoUrl),
    attributionStorage: oneOf(given.attributionStorage, ["immediate", "after-consent"], "after-consent"),
    googleAdsConversion: optionalText(given.googleAdsConversion),
    metaPixelId: optionalText(given.metaPixelId),
    analyticsId: optionalText(given.analyticsId),
    googleTagUrl: text(given.googleTagUrl, DEFAULT_SETTINGS.googleTagUrl),
    metaScriptUrl: text(given.metaScriptUrl, DEFAULT_SETTINGS.metaScriptUrl),
    environment: oneOf(given.environment, ["development", "production"], "production"),
    mailEnabled: given.mailEnabled === true,
    showSamples: given.showSamples === true,
  };
}

let served: { page: Settings; settings: Settings } | null = null;

/** What the page's markup was written with: the defaults, and the numbers that the server filled in. */
export function servedSettings(): Settings {
  if (typeof document === "undefined") {
    return PRE_RENDERED;
  }
  const page = pageSettings();
  if (served?.page !== page) {
    const { clinicPhone, clinicPhoneDigits, whatsappNumber } = page;
    served = { page, settings: { ...DEFAULT_SETTINGS, clinicPhone, clinicPhoneDigits, whatsappNumber } };
  }
  return served.settings;
}

let cached: { json: string | null; settings: Settings } | null = null;

/** The page's settings. The same text always results in the same object, so that React can compare it. */
export function pageSettings(): Settings {
  const json = document.getElementById("settings")?.textContent ?? null;
  if (cached?.json !== json || cached === null) {
    cached = { json, settings: parseSettings(json) };
  }
  return cached.settings;
}

const never = () => () => {};

/** The deployment's settings. Hydration uses those that the page was rendered with, so that it matches. */
export function useSettings(): Settings {
  return useSyncExternalStore(never, pageSettings, servedSettings);
}

/** Set only while pre-rendering: every page is written twice, with and without sample content. */
export const SamplesContext = createContext<boolean | null>(null);

/** Whether this page shows content that is still marked as a sample. The same while pre-rendering and hydrating. */
export function useSamples(): boolean {
  return useContext(SamplesContext) ?? pageSettings().showSamples;
}
