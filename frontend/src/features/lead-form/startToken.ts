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

let latest: Start | null = null;
let loading: Promise<Start | null> | null = null;

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

/** The token, fetched when there is none or it is old: a page left open over night renews its own. */
function currentStart(): Promise<Start | null> {
  if (latest !== null && Date.now() < latest.staleAt) {
    return Promise.resolve(latest);
  }
  loading ??= fetchStart().then((start) => {
    latest = start;
    loading = null;
    return start;
  });
  return loading;
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

/** Whether our own server answers at all. */
export async function isSiteThere(): Promise<boolean> {
  return (await fetchStart()) !== null;
}

/**
 * Has a token fetched in time, and says when whoever sends an enquiry now is called. Called whenever the visitor comes
 * near the form or touches it.
 */
export async function prepareStart(): Promise<string | null> {
  return (await currentStart())?.call ?? null;
}

/** The enquiry's header. Waits until the token is old enough, which only autofill is faster than. */
export async function startHeaders(): Promise<Record<string, string>> {
  const start = await currentStart();
  if (start === null) {
    return {};
  }
  const wait = Math.min(start.readyAt - Date.now(), MAX_WAIT_MS);
  if (wait > 0) {
    await pause(wait);
  }
  return { "Start-Token": start.token };
}

/** For tests only: as if the page had just been loaded. */
export function forgetStart(): void {
  latest = null;
  loading = null;
}
