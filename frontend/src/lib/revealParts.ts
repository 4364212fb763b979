/**
 * Lays out the parts of a fresh page that the browser skips at first (components/SelectiveHydration.module.css): one per
 * frame while the page is idle, or all at once before a place on the page is measured.
 */

const skipped: HTMLElement[] = [];

function whenIdle(then: () => void): void {
  const wait = () => (window.requestIdleCallback ?? setTimeout)(then);
  document.readyState === "complete" ? wait() : window.addEventListener("load", wait, { once: true });
}

function revealNext(): void {
  const part = skipped.shift();
  if (part === undefined) {
    revealAll();
    return;
  }
  part.style.setProperty("--visibility", "visible");
  requestAnimationFrame(() => whenIdle(revealNext));
}

/** Takes parts in the order in which they are to be laid out. */
export function revealSoon(part: HTMLElement | null): void {
  if (part && skipped.push(part) === 1) {
    whenIdle(revealNext);
  }
}

export function revealAll(): void {
  skipped.length = 0;
  delete document.documentElement.dataset.fresh;
}
