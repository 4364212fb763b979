import { useCallback, useEffect, useRef, useState } from "react";
import { scrollBehaviour } from "@/lib/scroll";
import { wrapIndex } from "@/lib/wrapIndex";

/** Without the scrollend event, a scroll counts as ended after this long without a scroll event. */
const REST_MS = 120;

/**
 * Slides in a row with scroll snapping: swipes scroll natively, buttons scroll by script.
 * `moved` becomes true with the first change, so that nothing is announced on load.
 */
export function useCarousel(count: number) {
  const track = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const [moved, setMoved] = useState(false);

  const show = useCallback(
    (wanted: number) => {
      const index = wrapIndex(wanted, count);
      const slide = track.current?.children[index];
      if (slide instanceof HTMLElement) {
        track.current?.scrollTo?.({ left: slide.offsetLeft, behavior: scrollBehaviour() });
      }
      setMoved(true);
      setCurrent(index);
    },
    [count],
  );

  useEffect(() => {
    const row = track.current;
    if (row === null) {
      return;
    }
    function settle(): void {
      if (row !== null && row.scrollWidth > row.clientWidth) {
        setMoved(true);
        setCurrent(Math.round(row.scrollLeft / row.clientWidth));
      }
    }
    // The visitor may have swiped before this code ran. Deferred, because reading the position forces a layout.
    let resting = setTimeout(() => row.scrollLeft > 0 && settle(), REST_MS);
    function onScroll(): void {
      clearTimeout(resting);
      resting = setTimeout(settle, REST_MS);
    }
    // On a busy phone a smooth scroll can stall for longer than that and then continue.
    const [moving, listener] =
      "onscrollend" in window ? (["scrollend", settle] as const) : (["scroll", onScroll] as const);
    row.addEventListener(moving, listener, { passive: true });
    return () => {
      clearTimeout(resting);
      row.removeEventListener(moving, listener);
    };
  }, []);

  return { track, current: wrapIndex(current, count), moved, show };
}
