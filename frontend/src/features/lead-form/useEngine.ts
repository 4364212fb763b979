import { type RefObject, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { logFailure } from "@/lib/log";
import type { LeadFormEngine } from "./engine";
import type { FieldErrors } from "./fields";
import { type Chunk, loadChunk } from "./loadChunk";

const NEAR = "600px";
const NO_ERRORS: FieldErrors = {};
const nothing = () => () => {};

export interface LoadedForm {
  chunk: Chunk;
  engine: LeadFormEngine;
}

/** What the visitor has typed before the chunk came. */
function typedSoFar(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(entries);
}

/**
 * Brings the form's chunk when the form is near the viewport; `load` brings it at once (a touch, a submit).
 * `onLoaded` runs once, when it is there.
 */
export function useEngine(form: RefObject<HTMLFormElement | null>, onLoaded: (loaded: LoadedForm) => void) {
  const [loaded, setLoaded] = useState<LoadedForm | null>(null);
  const latest = useRef<LoadedForm | null>(null);
  const announce = useRef(onLoaded);
  announce.current = onLoaded;

  const load = useCallback(async (): Promise<LoadedForm> => {
    const chunk = await loadChunk();
    if (latest.current === null) {
      const engine = chunk.createLeadFormEngine(form.current ? typedSoFar(form.current) : {});
      latest.current = { chunk, engine };
      setLoaded(latest.current);
      announce.current(latest.current);
    }
    return latest.current;
  }, [form]);

  const prefetch = useCallback(() => {
    load().catch((cause: unknown) => logFailure("Loading the form", cause));
  }, [load]);

  useEffect(() => {
    const element = form.current;
    if (element === null) {
      return;
    }
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) {
          observer.disconnect();
          prefetch();
        }
      },
      { rootMargin: NEAR },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [form, prefetch]);

  const errors = useSyncExternalStore(
    loaded?.engine.subscribe ?? nothing,
    () => loaded?.engine.errors() ?? NO_ERRORS,
    () => NO_ERRORS,
  );
  return { loaded, errors, load, prefetch };
}
