/** When the app's code is fetched, and when it may run. */
import { atNextInput } from "./inputs";

/** A browser that is never idle starts after this long all the same. */
const BUSY_MS = 2000;
/** So does a page of which one file never arrives. */
const STALLED_MS = 8000;

/** Calls `then` after the first paint, which a small page may be loaded before. */
function whenPainted(then: () => void): void {
  if (!PerformanceObserver.supportedEntryTypes.includes("paint")) {
    requestAnimationFrame(then);
    return;
  }
  new PerformanceObserver((list, observer) => {
    if (list.getEntriesByName("first-contentful-paint").length > 0) {
      observer.disconnect();
      then();
    }
  }).observe({ type: "paint", buffered: true });
}

/** Resolves when the page is painted, loaded and idle, or at the visitor's first input, whichever comes first. */
export function quietOrInput(): Promise<void> {
  return new Promise((resolve) => {
    atNextInput(resolve);
    const whenIdle = () =>
      window.requestIdleCallback
        ? window.requestIdleCallback(() => resolve(), { timeout: BUSY_MS })
        : setTimeout(resolve, 200);
    if (document.readyState === "complete") {
      whenPainted(whenIdle);
    } else {
      window.addEventListener("load", () => whenPainted(whenIdle), { once: true });
    }
    setTimeout(resolve, STALLED_MS);
  });
}

/** Resolves when the whole document is there. */
export function parsed(): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState === "loading") {
      document.addEventListener("DOMContentLoaded", () => resolve(), { once: true });
    } else {
      resolve();
    }
  });
}

/** Fetches side by side what the app needs first: the build lists these files at the page's first script. */
export function preloadApp(): void {
  const files = document.querySelector<HTMLScriptElement>("script[data-app]")?.dataset.app ?? "";
  for (const file of files.split(" ").filter(Boolean)) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = `/${file}`;
    document.head.append(link);
  }
}
