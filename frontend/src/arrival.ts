/**
 * The first script of a page, small and asynchronous. It does what cannot wait for the app: notes where the visitor came
 * from, answers taps on the clinic's WhatsApp and telephone, keeps what is typed, forms that are sent too early, and the place
 * that a link leads to. Then it starts the app. All of that is more than the page needs: its links and its form work without any script.
 */
import "@/styles/index.css";
import { noteArrival } from "@/lib/attribution";
import { idleOrInput, parsed, preloadApp } from "@/lib/boot";
import { followContacts } from "@/lib/contacts";
import { forgetDraft, keepDrafts, restoreDrafts } from "@/lib/draft";
import { canRunApp } from "@/lib/engine";
import { logFailure } from "@/lib/log";
import { followForms, giveUpForms } from "@/lib/nativeForm";
import { fileIn, reportPageFailure, reportUncaught } from "@/lib/pageFailures";
import { pageSettings } from "@/lib/pageSettings";
import { holdPlaces } from "@/lib/scroll";

/** An app that has not started by then counts as one that does not. It may start yet. */
const START_MS = 30_000;

/** Lets the browser leave the layout of what is far below for later, but on a page that is reloaded or come back to. */
function skipLayoutBelow(): void {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (entry?.type === "navigate") {
    document.documentElement.dataset.fresh = "";
  }
}

async function keepWhatIsTyped(): Promise<void> {
  keepDrafts();
  await parsed();
  // Posted by the browser itself: the thank-you page is the first to know.
  if (new URLSearchParams(window.location.search).has("reference")) {
    forgetDraft("enquiry");
  }
  restoreDrafts();
}

async function startApp(): Promise<void> {
  // The development server sends an empty page: there is nothing to paint before the app.
  await (import.meta.env.DEV ? undefined : idleOrInput());
  preloadApp();
  const late = setTimeout(reportPageFailure, START_MS, "start", "app.js");
  const [{ start }] = await Promise.all([import("./entry-client"), parsed()]);
  clearTimeout(late);
  start();
}

function arrive(): void {
  reportUncaught();
  skipLayoutBelow();
  noteArrival(
    { url: window.location.href, referrer: document.referrer, at: new Date() },
    pageSettings().attributionStorage,
  );
  followContacts();
  followForms();
  holdPlaces();
  void keepWhatIsTyped();
  startApp().catch((cause: unknown) => {
    logFailure("Starting the app", cause);
    reportPageFailure("start", fileIn(cause) ?? "app.js");
    giveUpForms();
  });
}

if (canRunApp()) {
  arrive();
}
