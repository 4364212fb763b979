import { createContext, useContext, useSyncExternalStore } from "react";

/** What differs between deployments, from the page's #settings block. Absent or invalid values fall back one by one. */
export interface Settings {
  clinicPhone: string;
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

export const DEFAULT_SETTINGS: Settings = {
  clinicPhone: "+90 212 000 00 00",
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
  const digits = text(given.whatsappNumber, "").replace(/\D/g, "");
  return {
    clinicPhone: text(given.clinicPhone, DEFAULT_SETTINGS.clinicPhone),
    whatsappNumber: text(digits, DEFAULT_SETTINGS.whatsappNumber),
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

/** The settings that the page was rendered with: the build's defaults, and the numbers that the server inserted. */
export function servedSettings(): Settings {
  if (typeof document === "undefined") {
    return DEFAULT_SETTINGS;
  }
  const page = pageSettings();
  if (served?.page !== page) {
    const { clinicPhone, whatsappNumber } = page;
    served = { page, settings: { ...DEFAULT_SETTINGS, clinicPhone, whatsappNumber } };
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
