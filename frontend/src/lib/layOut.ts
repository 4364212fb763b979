/**
 * When a fresh page's blocks (data-fresh: public/arrival.js, components/late.module.css) are laid out: one a frame
 * while the page has nothing else to do, or all at once where a place on the page is looked for.
 */

const waiting: HTMLElement[] = [];

/** Calls back once the page has loaded and has nothing else to do. */
export function whenIdle(then: () => void): void {
  const later = () => (window.requestIdleCallback ?? setTimeout)(then);
  document.readyState === "complete" ? later() : window.addEventListener("load", later, { once: true });
}

function layOutNext(): void {
  const block = waiting.shift();
  if (block === undefined) {
    layOutAll();
    return;
  }
  block.style.setProperty("--laid-out", "visible");
  requestAnimationFrame(() => whenIdle(layOutNext));
}

/** Blocks come in the order in which they are handed over. */
export function layOutSoon(block: HTMLElement): void {
  if (waiting.push(block) === 1) {
    whenIdle(layOutNext);
  }
}

/** Before measuring where something is: a block that was not laid out is taken for as high as most are. */
export function layOutAll(): void {
  waiting.length = 0;
  delete document.documentElement.dataset.fresh;
}
