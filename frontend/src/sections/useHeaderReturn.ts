import { useEffect, useState } from "react";

/** Above this the header is in its own place. */
const TOP_PX = 40;
/** A shorter scroll is a trembling finger, and ignored. */
const MIN_TURN_PX = 8;

/**
 * Where the header is: in its own place at the top of the page, back because the visitor scrolls up, or away. Neither a
 * scroll to a section nor the keyboard's focus brings it back: it would cover what the visitor went to.
 */
export function useHeaderReturn(): "top" | "back" | "away" | undefined {
  const [state, setState] = useState<"top" | "back" | "away">();
  useEffect(() => {
    let last = window.scrollY;
    setState(last <= TOP_PX ? "top" : "away");
    function onScroll(): void {
      const moved = window.scrollY - last;
      if (Math.abs(moved) >= MIN_TURN_PX || window.scrollY <= TOP_PX) {
        last = window.scrollY;
        const held = document.documentElement.dataset.held !== undefined;
        const back = moved < 0 && !held && !document.activeElement?.matches(":focus-visible");
        setState(last <= TOP_PX ? "top" : back ? "back" : "away");
      }
    }
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, []);
  return state;
}
