/** Moves the page to a section. A missing section is nothing to do, never an error. */

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
  const top = section.getBoundingClientRect().top + window.scrollY - SCROLL_OFFSET;
  window.scrollTo({ top: Math.max(0, top), behavior: prefersStillness() ? "instant" : "smooth" });
  return true;
}

/** Scrolls to the form and moves focus to its heading, from where the next Tab is the first field. */
export function goToSection(id: string): boolean {
  const found = scrollToSection(id);
  document
    .querySelector<HTMLElement>(`#${CSS.escape(id)} [data-section-title]`)
    ?.focus({ preventScroll: true });
  return found;
}
