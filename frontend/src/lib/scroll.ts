/** Moves the page to a section. A missing section is nothing to do, never an error. */

import { revealAll } from "./revealParts";

/** Pixels left free above the section, for the sticky bar. */
export const SCROLL_OFFSET = 80;

function prefersStillness(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** True when the section exists. */
export function scrollToSection(id: string): boolean {
  const section = document.getElementById(id);
  if (section === null) {
    return false;
  }
  revealAll();
  const top = section.getBoundingClientRect().top + window.scrollY - SCROLL_OFFSET;
  window.scrollTo({ top: Math.max(0, top), behavior: prefersStillness() ? "instant" : "smooth" });
  return true;
}

/** Scrolls to a section and moves focus to its heading, or to itself, from where the next Tab is inside it. */
export function goToSection(id: string): boolean {
  const found = scrollToSection(id);
  const section = document.getElementById(id);
  const title = section?.matches("main") ? null : section?.querySelector<HTMLElement>("[data-section-title]");
  (title ?? section)?.focus({ preventScroll: true });
  return found;
}
