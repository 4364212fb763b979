/** Stands where Google's and Meta's servers are: hands out their scripts, and keeps what those are told. */
import type { BrowserContext, Route } from "@playwright/test";

/** Late enough that calls have to wait for a script. */
const SCRIPT_DELAY_MS = 400;

/** What the scripts do here: pass on every call, those that waited in the queue first. */
const SCRIPTS: Record<string, string> = {
  "/gtag/js": `
    const waiting = window.dataLayer.splice(0);
    const pass = (call) => send("google", [...call]);
    window.dataLayer.push = pass;
    waiting.forEach(pass);`,
  "/en_US/fbevents.js": `
    const pass = (...call) => send("meta", call);
    window.fbq.callMethod = pass;
    window.fbq.queue.splice(0).forEach((call) => pass(...call));`,
};

/** `page`: the address bar at that moment, which the real scripts read. */
const SEND = `
  const home = new URL(document.currentScript.src).origin;
  const send = (tag, call) => fetch(home + "/told", { method: "POST", mode: "no-cors", keepalive: true,
    body: JSON.stringify({ tag, call, page: location.href }) });`;

export interface Told {
  tag: "google" | "meta";
  call: unknown[];
  page: string;
}

export interface Sink {
  told: Told[];
  /** Paths of the scripts that were asked for, with their queries. */
  scripts: string[];
}

/** Answers for both hosts in every page of the context. */
export async function openSink(context: BrowserContext): Promise<Sink> {
  const sink: Sink = { told: [], scripts: [] };
  const answer = async (route: Route): Promise<void> => {
    const { pathname, search } = new URL(route.request().url());
    const script = SCRIPTS[pathname];
    if (script) {
      sink.scripts.push(pathname + search);
      await new Promise((resolve) => setTimeout(resolve, SCRIPT_DELAY_MS));
      await route.fulfill({ contentType: "text/javascript", body: `(() => {${SEND}${script}})();` });
      return;
    }
    sink.told.push(JSON.parse(route.request().postData() ?? ""));
    await route.fulfill({ status: 204 });
  };
  await context.route("https://www.googletagmanager.com/**", answer);
  await context.route("https://connect.facebook.net/**", answer);
  return sink;
}
