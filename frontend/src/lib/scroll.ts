/** Scrolling that respects the visitor's motion preference. A missing section is never an error. */

import { revealAll } from "./revealParts";

/** Pixels left free above the section, for the sticky bar. */
export const SCROLL_OFFSET = 80;

export function scrollBehaviour(): "instant" | "smooth" {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}

/** True when the section exists. */
export function scrollToSection(id: string): boolean {
  const section = document.getElementById(id);
  if (section === null) {
    return false;
  }
  revealAll();
  const top = section.getBoundingClientRect().top + window.scrollY - SCROLL_OFFSET;
  window.scrollTo({ top: Math.max(0, top), behavior: scrollBehaviour() });
  return true;
}

/** Scrolls to a section and moves focus to its heading, else to the section, so that the next Tab is inside it. */
export function goToSection(id: string): boolean {
  const found = scrollToSection(id);
  const section = document.getElementById(id);
  const title = section?.matches("main") ? null : section?.querySelector<HTMLElement>("[data-section-title]");
  (title ?? section)?.focus({ preventScroll: true });
  return found;
}
