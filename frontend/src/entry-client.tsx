import "@/styles/index.css";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { noteArrival } from "@/lib/attribution";
import { purposesOf } from "@/lib/consentNeed";
import { logFailure } from "@/lib/log";
import { pageSettings } from "@/lib/settings";
import { App } from "@/router/App";

/** Whatever needs consent is loaded last, so that it does not slow down the page. */
function askForConsent(): void {
  if (purposesOf(pageSettings()).length === 0) {
    return;
  }
  const load = () =>
    import("@/pages/consent").then(
      ({ startConsent }) => startConsent(),
      (cause) => logFailure("Loading the cookie choices", cause),
    );
  document.readyState === "complete" ? load() : window.addEventListener("load", load, { once: true });
}

function start(root: HTMLElement): void {
  const arrival = { url: window.location.href, referrer: document.referrer, at: new Date() };
  noteArrival(arrival, pageSettings().attributionStorage);
  const app = (
    <BrowserRouter>
      <App />
    </BrowserRouter>
  );
  // The development server sends an empty page, a build sends a pre-rendered one.
  if (root.firstElementChild) {
    hydrateRoot(root, app);
  } else {
    createRoot(root).render(app);
  }
  askForConsent();
}

const root = document.getElementById("root");
if (root) {
  start(root);
}
