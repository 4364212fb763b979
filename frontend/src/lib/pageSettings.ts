/** The page's #settings block. Apart from the hooks that read it: the first script does without React. */

/** What differs between deployments, from the page's #settings block. Absent or invalid values fall back one by one. */
export interface Settings {
  clinicPhone: string;
  /** The same as a tel: link takes it. */
  clinicPhoneDigits: string;
  /** Digits only, with the country code. */
  whatsappNumber: string;
  attributionStorage: "immediate" | "after-consent";
  googleAdsConversion: string | null;
  metaPixelId: string | null;
  analyticsId: string | null;
  environment: "development" | "production";
  /** Whether the server sends an e-mail that acknowledges each enquiry. */
  mailEnabled: boolean;
  /** How long the server keeps enquiries, and the addresses of visitors. */
  retentionMonths: number;
  addressDays: number;
  /** Whether the server sent the pages that hold sample content. */
  showSamples: boolean;
}

/** The numbers are placeholders, seen only in development: a served page has the clinic's. */
export const DEFAULT_SETTINGS: Settings = {
  clinicPhone: "+90 212 000 00 00",
  clinicPhoneDigits: "+902120000000",
  whatsappNumber: "902120000000",
  attributionStorage: "after-consent",
  googleAdsConversion: null,
  metaPixelId: null,
  analyticsId: null,
  environment: "production",
  mailEnabled: false,
  retentionMonths: 24,
  addressDays: 30,
  showSamples: false,
};

/** What pre-rendered pages hold instead of numbers. The build checks them, the server (web/browser_settings.py) fills them. */
export const NUMBER_TOKENS = {
  clinicPhone: "{{clinic-phone}}",
  clinicPhoneDigits: "{{clinic-phone-digits}}",
  whatsappNumber: "{{whatsapp-number}}",
} as const satisfies Partial<Settings>;

function text<Fallback extends string | null>(value: unknown, fallback: Fallback): string | Fallback {
  return typeof value === "string" && value.trim() !== "" ? value : fallback;
}

function whole(value: unknown, fallback: number): number {
  return Number.isInteger(value) ? Number(value) : fallback;
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
    attributionStorage: oneOf(given.attributionStorage, ["immediate", "after-consent"], "after-consent"),
    googleAdsConversion: text(given.googleAdsConversion, null),
    metaPixelId: text(given.metaPixelId, null),
    analyticsId: text(given.analyticsId, null),
    environment: oneOf(given.environment, ["development", "production"], "production"),
    mailEnabled: given.mailEnabled === true,
    retentionMonths: whole(given.retentionMonths, DEFAULT_SETTINGS.retentionMonths),
    addressDays: whole(given.addressDays, DEFAULT_SETTINGS.addressDays),
    showSamples: given.showSamples === true,
  };
}

/** The page's settings. */
export const pageSettings = (): Settings => parseSettings(document.getElementById("settings")?.textContent ?? null);
