import { type RefObject, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { logFailure } from "@/lib/log";
import { fetchPart } from "@/lib/parts";
import { whenNear } from "@/lib/whenNear";
import type { FormController } from "./formController";
import type { FieldErrors } from "./schema";

type Chunk = typeof import("./chunk");

let loading: Promise<Chunk> | null = null;

/** Evaluating the chunk and using it are two tasks: one long task would block a slow phone. */
function inNextTask(chunk: Chunk): Promise<Chunk> {
  return new Promise((resolve) => setTimeout(resolve, 0, chunk));
}

/** Loads the form's late chunk once; a failed load may be tried again. */
export function loadChunk(): Promise<Chunk> {
  loading ??= fetchPart(() => import("./chunk"))
    .then(inNextTask)
    .catch((cause: unknown) => {
      loading = null;
      throw cause;
    });
  return loading;
}

/** Distance from the viewport at which the chunk starts to load. */
const NEAR = "600px";
const NO_ERRORS: FieldErrors = {};
const nothing = () => () => {};

export interface LoadedForm {
  chunk: Chunk;
  controller: FormController;
  /** What the native select had chosen when the chunk came. */
  selectedCountry: string;
}

/** What stands in the form's fields. */
function typedSoFar(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(entries);
}

/**
 * Loads the form's chunk when the form is near the viewport; `load` loads it at once (a touch, a submit).
 * `onLoaded` runs once, when it has loaded.
 */
export function useFormController(
  form: RefObject<HTMLFormElement | null>,
  onLoaded: (loaded: LoadedForm) => void,
) {
  const [loaded, setLoaded] = useState<LoadedForm | null>(null);
  const [call, setCall] = useState<string | null>(null);
  const latest = useRef<LoadedForm | null>(null);
  const announce = useRef(onLoaded);
  announce.current = onLoaded;

  const load = useCallback(async (): Promise<LoadedForm> => {
    const chunk = await loadChunk();
    void chunk.prepareStart().then(setCall);
    if (latest.current === null) {
      const read = () => (form.current ? typedSoFar(form.current) : {});
      const controller = chunk.createFormController(read);
      latest.current = { chunk, controller, selectedCountry: read().countryCode ?? "" };
      setLoaded(latest.current);
      announce.current(latest.current);
    }
    return latest.current;
  }, [form]);

  const prefetch = useCallback(() => {
    load().catch((cause: unknown) => logFailure("Loading the form", cause));
  }, [load]);

  useEffect(() => {
    return form.current === null ? undefined : whenNear(form.current, { rootMargin: NEAR }, prefetch);
  }, [form, prefetch]);

  const errors = useSyncExternalStore(
    loaded?.controller.subscribe ?? nothing,
    () => loaded?.controller.errors() ?? NO_ERRORS,
    () => NO_ERRORS,
  );
  return { loaded, errors, call, load, prefetch };
}
