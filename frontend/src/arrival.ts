/**
 * The first script of a page, small and asynchronous. It does what cannot wait for the app: notes where the visitor came
 * from, answers taps on the clinic's WhatsApp and telephone, and keeps presses that come too early. Then it starts the app.
 */
import "@/styles/index.css";
import { noteArrival } from "@/lib/attribution";
import { parsed, preloadApp, quietOrInput } from "@/lib/boot";
import { followContacts } from "@/lib/contacts";
import { answerEarlyPresses, keepEarlyPresses } from "@/lib/earlyPresses";
import { logFailure } from "@/lib/log";
import { pageSettings } from "@/lib/pageSettings";

/**
 * A fresh page skips the layout of what is far below (lib/revealParts.ts). Not a page that is reloaded or returned to,
 * and only where the browser holds in place what is being read (overflow-anchor).
 */
function skipLayoutBelow(): void {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (entry?.type === "navigate" && CSS.supports("overflow-anchor: auto")) {
    document.documentElement.dataset.fresh = "";
  }
}

async function startApp(): Promise<void> {
  // The development server sends an empty page: there is nothing to paint before the app.
  await (import.meta.env.DEV ? undefined : quietOrInput());
  preloadApp();
  const [{ start }] = await Promise.all([import("./entry-client"), parsed()]);
  start();
  answerEarlyPresses();
}

skipLayoutBelow();
noteArrival(
  { url: window.location.href, referrer: document.referrer, at: new Date() },
  pageSettings().attributionStorage,
);
followContacts();
keepEarlyPresses();
startApp().catch((cause: unknown) => logFailure("Starting the app", cause));
