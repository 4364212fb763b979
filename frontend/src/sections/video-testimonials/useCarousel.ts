import { useCallback, useEffect, useRef, useState } from "react";
import { scrollBehaviour } from "@/lib/scroll";
import { wrapIndex } from "@/lib/wrapIndex";

/** Where browsers don't say that a scroll has ended, it has when nothing moved for so long. */
const REST_MS = 120;

/**
 * Slides in a row that scrolls and snaps: swiping is the browser's own scrolling, the buttons scroll for the visitor.
 * `moved` turns true with the first change, so that nothing is announced on arrival.
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
    let resting: ReturnType<typeof setTimeout>;
    function settle(): void {
      if (row !== null && row.scrollWidth > row.clientWidth) {
        setMoved(true);
        setCurrent(Math.round(row.scrollLeft / row.clientWidth));
      }
    }
    function onScroll(): void {
      clearTimeout(resting);
      resting = setTimeout(settle, REST_MS);
    }
    // A smooth scroll on a busy phone may stand still for longer than that, and go on.
    const [moving, listener] =
      "onscrollend" in window ? (["scrollend", settle] as const) : (["scroll", onScroll] as const);
    row.addEventListener(moving, listener, { passive: true });
    // Somebody may have swiped before this code came.
    if (row.scrollLeft > 0) {
      onScroll();
    }
    return () => {
      clearTimeout(resting);
      row.removeEventListener(moving, listener);
    };
  }, []);

  return { track, current: wrapIndex(current, count), moved, show };
}
