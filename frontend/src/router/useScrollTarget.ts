import { useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";
import { scrollToSection } from "@/lib/scroll";
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

/** Whether the browser has a place to go to by itself, or the visitor is reading already: nobody else scrolls before. */
const isBusy = () => window.scrollY > 0 || window.location.hash !== "";

/** Scrolls to the path's section, after a change of page else to the top. Back and forward keep the scroll position. */
export function useScrollTarget(): void {
  const { pathname, key } = useLocation();
  const action = useNavigationType();
  const shown = useRef<{ pathname: string; key: string } | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is a new visit, even to the same path.
  useEffect(() => {
    const before = shown.current;
    shown.current = { pathname, key };
    // React runs effects twice in development: a second run of the same visit is still an arrival.
    const arriving = before === null || before.key === key;
    if (!arriving && (action === "REPLACE" || (action === "POP" && before.pathname === pathname))) {
      return; // the same page: a place on it, or more that is known of it
    }
    if (!arriving) {
      // Going back restores a distance from the top, so heights must be right.
      delete document.documentElement.dataset.fresh;
      focusTitle();
    }
    if (arriving ? cameByHistory() : action === "POP") {
      return;
    }
    const { section } = routeOf(pathname);
    if (section === undefined) {
      if (!arriving) {
        window.scrollTo({ top: 0, behavior: "instant" });
      }
      return;
    }
    let release: (() => void) | null = null;
    const timer = setTimeout(() => {
      if (!(arriving && isBusy())) {
        release = scrollToSection(section) ?? scrollToSection(INSTEAD[section] ?? "");
      }
    }, SCROLL_DELAY_MS);
    return () => {
      clearTimeout(timer);
      release?.();
    };
  }, [key, pathname]);
}
