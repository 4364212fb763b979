/**
 * react-hook-form's control over inputs that are already on the page. It is made outside React, so that it can load
 * late without replacing the visitor's inputs.
 */
import { zodResolver } from "@hookform/resolvers/zod";
import { createFormControl } from "react-hook-form";
import type { FieldBinding } from "@/components/form/Field";
import { type FieldErrors, type FieldName, type LeadEntry, leadSchema, VISIBLE_FIELDS } from "./schema";

export interface FormController {
  bind(name: FieldName): FieldBinding;
  subscribe(listener: () => void): () => void;
  /** The same object until the errors change. */
  errors(): FieldErrors;
  /** Sets the calling code; after a first submit it also checks the phone again. */
  setCountryCode(id: string): void;
  set(name: "zc_gad", value: string): void;
  /** The checked entry, or null after marking the fields and focusing the first wrong one. */
  validate(): Promise<LeadEntry | null>;
  /** Shows the errors that the server found, and focuses the first of their fields. */
  refuse(errors: FieldErrors): void;
  reset(): void;
}

const EMPTY: LeadEntry = {
  name: "",
  surname: "",
  email: "",
  countryCode: "",
  phone: "",
  message: "",
  marketing: false,
  website: "",
  zc_gad: "",
};

/** What the visitor types. Password managers and autofill may set it without an event. */
const TYPED = [...VISIBLE_FIELDS, "website"] as const;

/** `read`: what stands in the inputs now. What stood there before the controller loaded is taken over. */
export function createFormController(read: () => Partial<LeadEntry>): FormController {
  const form = createFormControl<LeadEntry, unknown, LeadEntry>({
    defaultValues: { ...EMPTY, ...read() },
    resolver: zodResolver(leadSchema),
    mode: "onSubmit",
    reValidateMode: "onChange",
    // focusFirst uses the page's order; the library would use the order of registration.
    shouldFocusError: false,
  });
  let errors: FieldErrors = {};
  let submitted = false;
  const listeners = new Set<() => void>();

  form.subscribe({
    formState: { errors: true },
    callback: ({ errors: found }) => {
      const entries = Object.entries(found ?? {}).flatMap(([name, error]) =>
        error && "message" in error && error.message ? [[name, error.message]] : [],
      );
      errors = Object.fromEntries(entries);
      for (const listener of listeners) {
        listener();
      }
    },
  });

  function focusFirst(found: FieldErrors): void {
    const first = VISIBLE_FIELDS.find((name) => found[name] || (name === "phone" && found.countryCode));
    if (first) {
      form.setFocus(first);
    }
  }

  return {
    bind: (name) => form.register(name),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    errors: () => errors,
    setCountryCode: (id) => {
      form.setValue("countryCode", id);
      if (submitted) {
        void form.trigger(["countryCode", "phone"]);
      }
    },
    set: (name, value) => form.setValue(name, value),
    validate: async () => {
      submitted = true;
      const shown = read();
      for (const name of TYPED) {
        if (shown[name] !== undefined && shown[name] !== form.getValues(name)) {
          form.setValue(name, shown[name]);
        }
      }
      let entry: LeadEntry | null = null;
      await form.handleSubmit((valid) => {
        entry = valid;
      })();
      if (entry === null) {
        focusFirst(errors);
      }
      return entry;
    },
    refuse: (refused) => {
      for (const [name, message] of Object.entries(refused)) {
        form.setError(name as keyof FieldErrors, { type: "server", message });
      }
      focusFirst(refused);
    },
    reset: () => {
      submitted = false;
      const kept = { countryCode: form.getValues("countryCode"), zc_gad: form.getValues("zc_gad") };
      // The inputs stay mounted, so the control must keep its references to them.
      form.reset({ ...EMPTY, ...kept }, { keepFieldsRef: true });
    },
  };
}
