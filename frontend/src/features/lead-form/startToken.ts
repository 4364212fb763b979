/**
 * The start token: the server's signature on when this page was opened, which an enquiry carries as proof that it was
 * not sent by a program. Without one an enquiry is stored all the same, and waits longer.
 */
import type { Api } from "@/api/types";
import { logFailure } from "@/lib/log";
import { read } from "@/lib/request";

type Answer = Partial<Record<keyof Api["/api/start"]["answer"], unknown>>;

interface Start {
  token: string;
  /** Times of Date.now(). An enquiry sent before `readyAt` looks like a program's. */
  readyAt: number;
  staleAt: number;
  /** When the clinic calls whoever sends an enquiry now; null where the answer has none. */
  call: string | null;
}

/** A slow phone waits no longer for its token. */
const TIMEOUT_MS = 5000;
/** Whatever the server or the phone's clock says, nobody waits longer after the press. */
const MAX_WAIT_MS = 6000;

async function fetchStart(): Promise<Start | null> {
  try {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const start = `start?timezone=${encodeURIComponent(timeZone)}`;
    const answer = (await read(["", "api", start], { signal: AbortSignal.timeout(TIMEOUT_MS) })) as Answer;
    const { token, waitSeconds, renewSeconds } = answer;
    const { text } = { ...(answer.call as Partial<Record<"text", unknown>> | undefined) };
    if (typeof token !== "string" || typeof waitSeconds !== "number" || typeof renewSeconds !== "number") {
      return null;
    }
    const now = Date.now();
    const [readyAt, staleAt] = [now + waitSeconds * 1000, now + renewSeconds * 1000];
    const call = typeof text === "string" ? text : null;
    return { token, readyAt, staleAt, call };
  } catch (cause) {
    logFailure("Starting an enquiry", cause);
    return null;
  }
}

/** Closing the page ends the pause: then the enquiry is sent at once, or not at all. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener("pagehide", end);
  });
}

/** The start token of a form. */
export class StartToken {
  #latest: Start | null = null;
  #loading: Promise<Start | null> | null = null;

  /** Fetched when there is none or it is old: a page left open over night renews its own. */
  #current(): Promise<Start | null> {
    if (this.#latest !== null && Date.now() < this.#latest.staleAt) {
      return Promise.resolve(this.#latest);
    }
    this.#loading ??= fetchStart().then((start) => {
      this.#latest = start;
      this.#loading = null;
      return start;
    });
    return this.#loading;
  }

  /** Whether our own server answers at all. */
  async isSiteThere(): Promise<boolean> {
    return (await fetchStart()) !== null;
  }

  /**
   * Has a token fetched in time, and says when whoever sends an enquiry now is called. Called whenever the visitor comes
   * near the form or touches it.
   */
  async prepare(): Promise<string | null> {
    return (await this.#current())?.call ?? null;
  }

  /** The enquiry's header. Waits until the token is old enough, which only autofill is faster than. */
  async headers(): Promise<Record<string, string>> {
    const start = await this.#current();
    if (start === null) {
      return {};
    }
    const wait = Math.min(start.readyAt - Date.now(), MAX_WAIT_MS);
    if (wait > 0) {
      await pause(wait);
    }
    return { "Start-Token": start.token };
  }
}
