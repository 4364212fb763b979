import { type RefObject, useEffect } from "react";

/** Tells the page how much of its foot the banner covers, so that nothing focused or last ends up under it. */
export function useRoom(banner: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = banner.current;
    if (element === null) {
      return;
    }
    const page = document.documentElement;
    const observer = new ResizeObserver(() =>
      page.style.setProperty("--consent-room", `${element.offsetHeight}px`),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      page.style.removeProperty("--consent-room");
    };
  }, [banner]);
}
