/** The app in the browser. src/arrival.ts decides when it starts. */
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { StaticFallbackBoundary } from "@/components/StaticFallbackBoundary";
import { loadChunk } from "@/lib/chunks";
import { purposesOf } from "@/lib/consentNeed";
import { logFailure } from "@/lib/log";
import { giveUpForms } from "@/lib/nativeForm";
import { fileIn, reportPageFailure } from "@/lib/pageFailures";
import { pageSettings, type Settings } from "@/lib/pageSettings";
import { SettingsContext } from "@/lib/settings";
import { ignoreHashNavigation } from "@/lib/shownPage";
import { App } from "@/router/App";

/** Whatever needs consent is loaded last, so that it does not slow down the page. */
function askForConsent(settings: Settings): void {
  if (purposesOf(settings).length === 0) {
    return;
  }
  const load = () =>
    loadChunk(() => import("@/pages/consent")).then(
      ({ startConsent }) => startConsent(settings),
      (cause) => logFailure("Loading the cookie choices", cause),
    );
  document.readyState === "complete" ? load() : window.addEventListener("load", load, { once: true });
}

/** React drew a part anew, since it was not as it had been painted. */
function reportMismatch(cause: unknown): void {
  logFailure("Taking over the page", cause);
  reportPageFailure("mismatch", fileIn(cause) ?? "unknown.js");
}

export function start(): void {
  const root = document.getElementById("root");
  if (!root) {
    return;
  }
  ignoreHashNavigation();
  const settings = pageSettings();
  const app = (
    <StaticFallbackBoundary painted={root} onFailed={giveUpForms}>
      <SettingsContext value={settings}>
        <BrowserRouter>
          <App />
        </BrowserRouter>
      </SettingsContext>
    </StaticFallbackBoundary>
  );
  // The development server sends an empty page, a build sends a pre-rendered one.
  if (root.firstElementChild) {
    hydrateRoot(root, app, { onRecoverableError: reportMismatch });
  } else {
    createRoot(root).render(app);
  }
  askForConsent(settings);
}
