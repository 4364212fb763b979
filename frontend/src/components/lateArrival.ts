/** When a late block's code is fetched: near the viewport, touched, or at once where there is no HTML to show. */
import { logFailure } from "@/lib/log";

const NEAR = "800px";
const RETRY_MS = 5000;
const TOUCHES = ["pointerdown", "focusin"] as const;

/** Everything wanted: a change of page must not wait for blocks that nobody is near. */
const waiting = new Set<() => void>();

function wantAll(): void {
  for (const want of waiting) {
    want();
  }
}

function onClick(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest("a[href]")) {
    wantAll();
  }
}

export interface Arrival<Module> {
  want: () => void;
  wait: () => Promise<Module>;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Failing leaves the block as it was pre-rendered, and is tried again. */
async function untilFetched<Module>(name: string, fetchBlock: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      return await fetchBlock();
    } catch (cause) {
      logFailure(`Loading ${name}`, cause);
      await pause(RETRY_MS);
    }
  }
}

export function createArrival<Module>(name: string, fetchBlock: () => Promise<Module>): Arrival<Module> {
  let want = () => {};
  const wanted = new Promise<void>((resolve) => {
    want = resolve;
  });
  const wait = async (): Promise<Module> => {
    if (document.querySelector(`[data-late="${CSS.escape(name)}"]`)) {
      waiting.add(want);
      await wanted;
      waiting.delete(want);
    }
    return untilFetched(name, fetchBlock);
  };
  return { want: () => want(), wait };
}

/** Calls `want` when the element is near or touched. Gives the way to stop watching, as React's refs take it. */
export function whenNear(element: HTMLElement, want: () => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) {
        observer.disconnect();
        want();
      }
    },
    { rootMargin: NEAR },
  );
  observer.observe(element);
  for (const touch of TOUCHES) {
    element.addEventListener(touch, want);
  }
  document.addEventListener("click", onClick, true);
  window.addEventListener("popstate", wantAll);
  return () => {
    observer.disconnect();
    for (const touch of TOUCHES) {
      element.removeEventListener(touch, want);
    }
  };
}
