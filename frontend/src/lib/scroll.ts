/** Scrolling that respects the visitor's motion preference. A missing section is never an error. */

import { atNextInput } from "./inputs";
import { revealAll } from "./revealParts";

/** Pixels left free above the section, for the sticky bar. */
export const SCROLL_OFFSET = 80;
/** The browser's own jump ends within so many pixels of a section's place. */
const NEAR = 2;
/** A browser that does not report the end of a smooth scroll has ended it by then. */
const SMOOTH_MS = 2000;

export function scrollBehaviour(): "instant" | "smooth" {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}

/** How far the section is from its place below the bar. */
const distanceOf = (section: Element) => section.getBoundingClientRect().top - SCROLL_OFFSET;

function scrollBy(distance: number, behavior: ScrollBehavior): void {
  window.scrollTo({ top: Math.max(0, window.scrollY + distance), behavior });
}

const idle = () => {};
let release = idle;

/** Whether a section is kept in its place, or on its way there: the page scrolls by itself. */
export const isHolding = () => release !== idle;

/** Lets the page be where it is, whatever changes above. */
export function releaseSection(): void {
  release();
}

/**
 * Keeps a section in its place while parts above it grow or shrink, until the visitor's next input. Not every browser
 * does that by itself (scroll anchoring), and none while the scroll is under way.
 */
function holdSection(section: Element, behaviour: ScrollBehavior): void {
  let arrived = behaviour === "instant";
  function correct(): void {
    const distance = distanceOf(section);
    if (arrived && section.isConnected && Math.abs(distance) >= 1) {
      scrollBy(distance, "instant");
    }
  }
  function arrive(): void {
    arrived = true;
    correct();
  }
  const observer = new ResizeObserver(correct);
  observer.observe(document.body);
  document.addEventListener("scrollend", arrive, { once: true });
  const timer = setTimeout(arrive, SMOOTH_MS);
  const forgetInput = atNextInput(() => release());
  release = () => {
    observer.disconnect();
    document.removeEventListener("scrollend", arrive);
    clearTimeout(timer);
    forgetInput();
    release = idle;
  };
}

/** True when the section exists. */
export function scrollToSection(id: string): boolean {
  const section = document.getElementById(id);
  if (section === null) {
    return false;
  }
  release();
  revealAll();
  const distance = distanceOf(section);
  // Where there is no way to go, no browser reports the end of a smooth scroll.
  const behaviour = Math.abs(distance) <= NEAR ? "instant" : scrollBehaviour();
  scrollBy(distance, behaviour);
  holdSection(section, behaviour);
  return true;
}

/** Takes over from the browser, which went to a section by itself: its link was pressed before the app could answer. */
export function takeOverSection(): void {
  const id = window.location.hash.slice(1);
  const section = document.getElementById(id);
  if (section && Math.abs(distanceOf(section)) <= NEAR) {
    scrollToSection(id);
  }
}

/** Writes a place on the page into the address, as the browser does: it can be shared, and Back leads to where one was. */
export function showInAddress(fragment: string): void {
  if (window.location.hash !== fragment) {
    // With the router's state: for it this is the same visit to the same page.
    window.history.pushState(window.history.state, "", fragment);
  }
}

/** Scrolls to a section and moves focus to its heading, else to the section, so that the next Tab is inside it. */
export function goToSection(id: string): boolean {
  const found = scrollToSection(id);
  const section = document.getElementById(id);
  const title = section?.matches("main") ? null : section?.querySelector<HTMLElement>("[data-section-title]");
  (title ?? section)?.focus({ preventScroll: true });
  return found;
}
