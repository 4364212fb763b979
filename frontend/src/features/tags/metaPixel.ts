/** Meta's pixel: one Lead event for an enquiry, after consent to advertising. Lists every field that is sent. */
import type { Settings } from "@/lib/pageSettings";
import { cleanAddressBar, dropCookies, loadScript } from "./browserAccess";
import type { ConversionValue } from "./googleTag";

interface Pixel {
  (...command: unknown[]): void;
  /** Set by the script once it has loaded; calls then go directly to it. */
  callMethod?: (...command: unknown[]) => void;
  queue: unknown[][];
  push: Pixel;
  loaded: boolean;
  version: string;
  disablePushState: boolean;
}

declare global {
  interface Window {
    fbq?: Pixel;
    _fbq?: Pixel;
  }
}

/** The queue that the script takes over when it has loaded. */
function createQueue(): Pixel {
  const pixel = ((...command: unknown[]) => {
    pixel.callMethod ? pixel.callMethod(...command) : pixel.queue.push(command);
  }) as Pixel;
  // Navigation within the site must not be reported.
  Object.assign(pixel, { queue: [], push: pixel, loaded: true, version: "2.0", disablePushState: true });
  return pixel;
}

/** What tags receive about an enquiry: the same for every one. */
export interface TrackingValues {
  conversion: ConversionValue;
  lead: { content_name: string; content_category: string };
}

type Ids = Pick<Settings, "metaPixelId">;

/** web/headers.py allows this host. */
const SCRIPT_URL = "https://connect.facebook.net/en_US/fbevents.js";

export class MetaPixel {
  readonly #ids: Ids;
  #pixel: Pixel | null = null;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** Applies a choice: loads the script at the first consent, and passes on every later choice. */
  follow(allowed: boolean): void {
    if (this.#pixel) {
      this.#pixel("consent", allowed ? "grant" : "revoke");
    } else if (allowed && this.#ids.metaPixelId) {
      this.#pixel = this.#load(this.#ids.metaPixelId);
    }
    if (this.#pixel && !allowed) {
      dropCookies("advertising");
    }
  }

  #load(id: string): Pixel {
    cleanAddressBar();
    const pixel = createQueue();
    window.fbq = pixel;
    window._fbq = pixel;
    pixel("consent", "grant");
    // Otherwise the script sends the texts of clicked buttons and the page's metadata.
    pixel("set", "autoConfig", false, id);
    pixel("init", id);
    loadScript(SCRIPT_URL);
    return pixel;
  }

  /** `eventId`: the id under which our server knows the same event, so that Meta counts it once. */
  lead(eventId: string, { conversion, lead }: TrackingValues): void {
    const { content_name, content_category } = lead;
    const { value, currency } = conversion;
    this.#pixel?.("track", "Lead", { content_name, content_category, value, currency }, { eventID: eventId });
  }
}
