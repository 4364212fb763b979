import { useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";
import { hasScrolled } from "@/lib/inputs";
import { revealAll } from "@/lib/revealParts";
import { releaseSection, scrollToSection, takeOverSection } from "@/lib/scroll";
import { routeOf } from "./routes";
import { INSTEAD } from "./sectionTargets";

export const SCROLL_DELAY_MS = 100;

function cameByHistory(): boolean {
  const [entry] = performance.getEntriesByType?.("navigation") ?? [];
  return (entry as PerformanceNavigationTiming | undefined)?.type === "back_forward";
}

/** What had the focus is gone with the former page. Its title is where the new one is read from. */
function focusTitle(): void {
  const title = document.querySelector("h1");
  if (title) {
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
  }
}

/** After a change of page, scrolls to the path's section or to the top. Back and forward keep the scroll position. */
export function useScrollTarget(): void {
  const { pathname, key } = useLocation();
  const action = useNavigationType();
  const shown = useRef<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is a new visit, even to the same path.
  useEffect(() => {
    // React runs effects twice in development: a second run of the same visit is still an arrival.
    const arriving = shown.current === null || shown.current === key;
    shown.current = key;
    releaseSection();
    if (!arriving && action !== "REPLACE") {
      // Going back restores a distance from the top, so heights must be right.
      revealAll();
      focusTitle();
    }
    if (arriving ? cameByHistory() : action !== "PUSH") {
      return;
    }
    const { section } = routeOf(pathname);
    if (section === undefined) {
      if (!arriving) {
        window.scrollTo({ top: 0, behavior: "instant" });
      }
      return;
    }
    const timer = setTimeout(() => {
      // Whoever scrolled before the app ran is reading already.
      if (!(arriving && hasScrolled())) {
        scrollToSection(section) || scrollToSection(INSTEAD[section] ?? "");
      }
    }, SCROLL_DELAY_MS);
    return () => clearTimeout(timer);
  }, [key, pathname]);

  useEffect(() => {
    takeOverSection();
    window.addEventListener("hashchange", takeOverSection);
    return () => window.removeEventListener("hashchange", takeOverSection);
  }, []);
}
