import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { currentAttribution } from "@/lib/attribution";
import { loadChunk } from "@/lib/chunks";
import { logFailure } from "@/lib/log";
import { whenNear } from "@/lib/whenNear";
import { type FieldErrors, VISIBLE_FIELDS } from "./fields";
import type { LeadEntry } from "./schema";

type Chunk = typeof import("./chunk");

/** Evaluating the chunk and using it are two tasks: one long task would block a slow phone. */
function inNextTask(chunk: Chunk): Promise<Chunk> {
  return new Promise((resolve) => setTimeout(resolve, 0, chunk));
}

/** The form's late chunk; a failed load may be tried again. */
export const loadForm = (): Promise<Chunk> => loadChunk(() => import("./chunk")).then(inNextTask);

/** Distance from the viewport at which the chunk starts to load. */
const NEAR = "600px";
/** Password managers and autofill may set these without an event. */
const TYPED = [...VISIBLE_FIELDS, "website"] as const;

export interface LoadedForm {
  chunk: Chunk;
  start: InstanceType<Chunk["StartToken"]>;
  /** Sets the calling code; after a first submit it also checks the phone again. */
  setCountryCode(id: string): void;
  /** The checked entry, or null after marking the fields and focusing the first wrong one. */
  validate(): Promise<LeadEntry | null>;
  /** Shows the errors that the server found, and focuses the first of their fields. */
  refuse(errors: FieldErrors): void;
  /** Empties the form, but for the country. */
  empty(): void;
}

/**
 * The form's validation, whose rules are in the late chunk. It is loaded when the form is near the viewport; `load` loads
 * it at once (a touch, a submit). `onLoaded` runs once, when it has loaded.
 */
export function useLeadForm(
  form: RefObject<HTMLFormElement | null>,
  onLoaded: (loaded: LoadedForm, selectedCountry: string) => void,
) {
  const { register, handleSubmit, formState, setError, setFocus, ...fields } = useForm<LeadEntry>({
    // No default values: they would replace what was typed before this code was there.
    resolver: async (...entered) => (await loadForm()).resolver(...entered),
    // focusFirst uses the page's order; the library would use the order of registration.
    shouldFocusError: false,
  });
  const [loaded, setLoaded] = useState<LoadedForm | null>(null);
  const [callbackTime, setCallbackTime] = useState<string | null>(null);
  const loadedRef = useRef<LoadedForm | null>(null);
  const submitted = useRef(false);

  function focusFirst(found: Partial<Record<keyof LeadEntry, unknown>>): void {
    const first = VISIBLE_FIELDS.find((name) => found[name] || (name === "phone" && found.countryCode));
    if (first) {
      setFocus(first);
    }
  }

  async function validate(): Promise<LeadEntry | null> {
    submitted.current = true;
    const shown = new FormData(form.current ?? undefined);
    for (const name of TYPED) {
      const typed = shown.get(name);
      if (typeof typed === "string" && typed !== fields.getValues(name)) {
        fields.setValue(name, typed);
      }
    }
    let entry: LeadEntry | null = null;
    await handleSubmit((valid) => {
      entry = valid;
    }, focusFirst)();
    return entry;
  }

  function setCountryCode(id: string): void {
    fields.setValue("countryCode", id);
    if (submitted.current) {
      void fields.trigger(["countryCode", "phone"]);
    }
  }

  function refuse(refused: FieldErrors): void {
    for (const [name, message] of Object.entries(refused)) {
      setError(name as keyof FieldErrors, { type: "server", message });
    }
    focusFirst(refused);
  }

  function empty(): void {
    submitted.current = false;
    const { countryCode } = fields.getValues();
    fields.reset();
    fields.setValue("countryCode", countryCode);
  }

  async function load(): Promise<LoadedForm> {
    const chunk = await loadForm();
    const first = loadedRef.current === null;
    loadedRef.current ??= { chunk, start: new chunk.StartToken(), setCountryCode, validate, refuse, empty };
    void loadedRef.current.start.prepare().then(setCallbackTime);
    if (first) {
      setLoaded(loadedRef.current);
      fields.setValue("zc_gad", currentAttribution()?.googleGclid ?? "");
      const selected = form.current && new FormData(form.current).get("countryCode");
      onLoaded(loadedRef.current, String(selected ?? ""));
    }
    return loadedRef.current;
  }

  function prefetch(): void {
    load().catch((cause: unknown) => logFailure("Loading the form", cause));
  }

  const onNear = useEffectEvent(prefetch);
  useEffect(() => {
    return form.current === null ? undefined : whenNear(form.current, { rootMargin: NEAR }, () => onNear());
  }, [form]);

  const errors: FieldErrors = Object.fromEntries(
    Object.entries(formState.errors).map(([name, error]) => [name, error.message]),
  );
  return { register, errors, loaded, callbackTime, load, prefetch };
}
