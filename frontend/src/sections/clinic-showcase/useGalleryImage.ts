import { useCallback, useEffect, useRef, useState } from "react";
import { whenNear } from "@/lib/whenNear";

/** Required margins: within 50 px of the viewport, a tenth of the box visible. */
const MARGIN = "50px";
const THRESHOLD = 0.1;

export type ImageState = "idle" | "loading" | "loaded" | "failed";

/** Idle until near the viewport, then loading, then loaded or failed; `retry` goes back to loading. */
export function useGalleryImage() {
  const frame = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<ImageState>("idle");
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const near = { rootMargin: MARGIN, threshold: THRESHOLD };
    return frame.current === null ? undefined : whenNear(frame.current, near, () => setState("loading"));
  }, []);

  const onLoad = useCallback(() => setState("loaded"), []);
  const onError = useCallback(() => setState("failed"), []);
  const retry = useCallback(() => {
    setAttempt((before) => before + 1);
    setState("loading");
  }, []);
  return { frame, state, attempt, onLoad, onError, retry };
}
