import { type RefObject, useEffect, useRef } from "react";

/** Calls `onPress` when the pointer goes down outside all of these elements. */
export function useOutsidePress(inside: readonly RefObject<HTMLElement | null>[], onPress: () => void): void {
  const latest = useRef({ inside, onPress });
  useEffect(() => {
    latest.current = { inside, onPress };
  });
  useEffect(() => {
    function onPointerDown(event: PointerEvent): void {
      const target = event.target as Node;
      if (!latest.current.inside.some(({ current }) => current?.contains(target))) {
        latest.current.onPress();
      }
    }
    document.addEventListener("pointerdown", onPointerDown);
    return () => document.removeEventListener("pointerdown", onPointerDown);
  }, []);
}
