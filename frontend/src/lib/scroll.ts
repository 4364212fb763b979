/** Scrolling that respects the visitor's motion preference. */
import { INPUTS } from "./boot";

export function scrollBehaviour(): "instant" | "smooth" {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}

/**
 * Scrolls to a section, and again whenever parts above it grow or shrink, until the visitor's next input: not every browser
 * holds in place what is being read. Meanwhile the page is data-held. Returns how to stop; null without such a section.
 */
export function scrollToSection(id: string): (() => void) | null {
  const section = document.getElementById(id);
  if (section === null) {
    return null;
  }
  const page = document.documentElement;
  const scroll = () => section.scrollIntoView({ behavior: scrollBehaviour() });
  const observer = new ResizeObserver(scroll);
  observer.observe(document.body);
  const stop = new AbortController();
  for (const kind of INPUTS) {
    const options = { passive: true, signal: stop.signal };
    window.addEventListener(kind, () => stop.abort(), options);
  }
  stop.signal.addEventListener("abort", () => {
    observer.disconnect();
    delete page.dataset.held;
  });
  page.dataset.held = "";
  scroll();
  return () => stop.abort();
}

/**
 * Holds the place that a pressed link leads to on this page. The press itself is the browser's, which aims once: what goes
 * away above meanwhile, as an offer that has run out, would take it beyond.
 */
export function holdPlaces(): void {
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href^="#"]');
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
    if (link && !elsewhere) {
      document.documentElement.dataset.pressed = "";
      // After the browser has noted from where one went: Back leads there.
      setTimeout(() => {
        delete document.documentElement.dataset.pressed;
        event.defaultPrevented || scrollToSection(link.hash.slice(1));
      });
    }
  };
  // React keeps clicks on what is not hydrated yet to itself.
  document.addEventListener("click", onClick, { capture: true });
}
