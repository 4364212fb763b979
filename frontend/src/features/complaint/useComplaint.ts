import { zodResolver } from "@hookform/resolvers/zod";
import { type RefObject, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import type { WrongField } from "@/components/form/ErrorSummary";
import type { SubmissionStatus } from "@/components/form/SubmitButton";
import {
  type ComplaintEntry,
  type ComplaintErrors,
  complaintSchema,
  sendComplaint,
  VISIBLE_FIELDS,
} from "./complaint";

interface Parts {
  form: RefObject<HTMLFormElement | null>;
  onStored: (reference: string) => void;
  onFailed: (why: "failed" | "limited") => void;
}

/** The form's validation and sending. As in the enquiry form, no error is shown before the first press. */
export function useComplaint({ form, onStored, onFailed }: Parts) {
  const { register, handleSubmit, setError, setFocus, setValue, formState } = useForm<ComplaintEntry>({
    // No default values: they would replace what was typed before this code was there.
    resolver: zodResolver(complaintSchema),
    mode: "onSubmit",
    reValidateMode: "onChange",
    shouldFocusError: false,
  });
  const [status, setStatus] = useState<SubmissionStatus>("idle");
  const busy = useRef(false);
  const stored = useRef(false);

  function focusFirst(errors: object): void {
    const first = VISIBLE_FIELDS.find((name) => name in errors);
    if (first) {
      setFocus(first);
    }
  }

  function refuse(errors: ComplaintErrors): void {
    for (const name of VISIBLE_FIELDS) {
      const message = errors[name];
      if (message) {
        setError(name, { type: "server", message });
      }
    }
    focusFirst(errors);
  }

  async function send(entry: ComplaintEntry): Promise<void> {
    setStatus("sending");
    const result = await sendComplaint(entry);
    if (result.kind === "stored") {
      stored.current = true;
      setStatus("sent");
      onStored(result.reference);
      return;
    }
    if (result.kind === "refused") {
      onFailed("failed");
      setStatus("idle");
      refuse(result.errors);
      return;
    }
    onFailed(result.kind);
    setStatus(result.kind);
  }

  /** A call while another one is in progress does nothing. */
  async function submit(event?: { preventDefault: () => void }): Promise<void> {
    event?.preventDefault();
    if (busy.current) {
      return;
    }
    busy.current = true;
    // Password managers and autofill may fill the inputs without an event.
    const inputs = form.current && new FormData(form.current);
    for (const name of inputs ? VISIBLE_FIELDS : []) {
      setValue(name, String(inputs?.get(name) ?? ""));
    }
    await handleSubmit(send, focusFirst)();
    busy.current = stored.current;
  }

  const errorOf = (name: (typeof VISIBLE_FIELDS)[number]) => formState.errors[name]?.message;
  const wrong: WrongField[] = VISIBLE_FIELDS.flatMap((name) => {
    const message = errorOf(name);
    return message ? [{ name, message }] : [];
  });
  return { register, errorOf, wrong, status, submit };
}
