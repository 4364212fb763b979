/**
 * Google's tag for analytics and the ad conversion, under Consent Mode v2: everything is denied by default, and the
 * script is loaded only after consent. Every field that is sent is listed in this file.
 */
import type { ConsentChoice, Purpose } from "@/lib/consent";
import type { Settings } from "@/lib/pageSettings";
import { state } from "@/lib/pageState";
import { cleanAddress, cleanReferrer, dropCookies, loadScript } from "./browserAccess";

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

const SIGNALS: Record<Purpose, readonly string[]> = {
  analytics: ["analytics_storage"],
  advertising: ["ad_storage", "ad_user_data", "ad_personalization"],
};

/** Adds to the queue that the script reads once it has loaded. */
function gtag(..._command: unknown[]): void {
  window.dataLayer ??= [];
  // biome-ignore lint/complexity/noArguments: the script recognises a command by this very object.
  window.dataLayer.push(arguments);
}

function signals(choice: ConsentChoice): Record<string, "granted" | "denied"> {
  return Object.fromEntries(
    Object.entries(SIGNALS).flatMap(([purpose, names]) =>
      names.map((name) => [name, choice[purpose as Purpose] === true ? "granted" : "denied"]),
    ),
  );
}

function page(): { page_location: string; page_referrer: string } {
  return {
    page_location: cleanAddress(window.location.href),
    page_referrer: cleanReferrer(document.referrer),
  };
}

/** The same for every enquiry. */
export interface ConversionValue {
  value: number;
  currency: string;
}

type Ids = Pick<Settings, "googleAdsConversion" | "analyticsId">;

/** web/headers.py allows this host. */
const SCRIPT_URL = "https://www.googletagmanager.com/gtag/js";

export class GoogleTag {
  readonly #ids: Ids;
  /** The id of each purpose's tag. */
  readonly #tags: Partial<Record<Purpose, string>>;
  readonly #configured = new Set<Purpose>();

  constructor(ids: Ids) {
    this.#ids = ids;
    this.#tags = {
      ...(ids.analyticsId && { analytics: ids.analyticsId }),
      ...(ids.googleAdsConversion && { advertising: ids.googleAdsConversion.split("/", 1)[0] ?? "" }),
    };
    if (Object.keys(this.#tags).length > 0) {
      gtag("consent", "default", signals({}));
      gtag("set", "ads_data_redaction", true);
    }
  }

  /** Applies a choice: loads the tags that are allowed, disables the others. */
  follow(choice: ConsentChoice): void {
    state.counted = Boolean(this.#tags.analytics && choice.analytics);
    const purposes = Object.keys(this.#tags) as Purpose[];
    const allowed = purposes.filter((purpose) => choice[purpose]);
    if (this.#configured.size === 0 && allowed.length === 0) {
      return;
    }
    gtag("consent", "update", signals(choice));
    for (const purpose of purposes) {
      choice[purpose] ? this.#configure(purpose) : this.#withdraw(purpose);
    }
  }

  #configure(purpose: Purpose): void {
    const id = this.#tags[purpose] ?? "";
    this.#disable(id, false);
    if (this.#configured.has(purpose)) {
      return;
    }
    if (this.#configured.size === 0) {
      loadScript(`${SCRIPT_URL}?id=${encodeURIComponent(id)}`);
      gtag("js", new Date());
    }
    this.#configured.add(purpose);
    // We report page views ourselves. Nobody may be retargeted for having looked at a medical treatment.
    const quiet = {
      send_page_view: false,
      allow_google_signals: false,
      allow_ad_personalization_signals: false,
    };
    gtag("config", id, { ...quiet, ...page() });
  }

  #withdraw(purpose: Purpose): void {
    if (this.#configured.has(purpose)) {
      this.#disable(this.#tags[purpose] ?? "", true);
      dropCookies(purpose);
    }
  }

  /** Google's own opt-out: without it the script keeps measuring scrolls and the like, without cookies. */
  #disable(id: string, disabled: boolean): void {
    Object.assign(window, { [`ga-disable-${id}`]: disabled });
  }

  #analyticsEvent(name: string, fields: Record<string, string>): void {
    if (this.#ids.analyticsId) {
      gtag("event", name, { send_to: this.#ids.analyticsId, ...fields, ...page() });
    }
  }

  pageView(title: string): void {
    this.#analyticsEvent("page_view", { page_title: title });
  }

  phoneClick(location: string): void {
    this.#analyticsEvent("phone_click", { button_location: location });
  }

  /** `eventId`: the id under which our server knows the same tap. */
  chatClick(location: string, eventId: string): void {
    this.#analyticsEvent("whatsapp_click", { button_location: location, event_id: eventId });
  }

  conversion(leadId: string, { value, currency }: ConversionValue): void {
    if (this.#ids.googleAdsConversion) {
      const fields = { value, currency, transaction_id: leadId };
      gtag("event", "conversion", { send_to: this.#ids.googleAdsConversion, ...fields, ...page() });
    }
  }
}
