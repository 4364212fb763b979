/** When the app's code is fetched, and when it may run. */

/** The visitor's input of any kind. */
export const INPUTS = ["pointerdown", "touchstart", "keydown", "wheel"] as const;
/** A browser that is never idle starts after this long all the same. */
const BUSY_MS = 2000;
/** So does a page of which one file never arrives. */
const STALLED_MS = 8000;

/** Resolves when the page is loaded, painted and idle, or at the visitor's first input, whichever comes first. */
export function idleOrInput(): Promise<void> {
  return new Promise((resolve) => {
    const start = () => resolve();
    const whenIdle = () =>
      window.requestIdleCallback ? window.requestIdleCallback(start, { timeout: BUSY_MS }) : setTimeout(start, 200);
    const whenPainted = () => requestAnimationFrame(() => setTimeout(whenIdle));
    for (const kind of INPUTS) {
      window.addEventListener(kind, start, { capture: true, once: true, passive: true });
    }
    if (document.readyState === "complete") {
      whenPainted();
    } else {
      window.addEventListener("load", whenPainted, { once: true });
    }
    setTimeout(start, STALLED_MS);
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
