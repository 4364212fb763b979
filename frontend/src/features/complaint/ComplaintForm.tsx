import { useEffect, useId } from "react";
import { ErrorSummary } from "@/features/lead-form/ErrorSummary";
import { FailureBar } from "@/features/lead-form/FailureBar";
import styles from "@/features/lead-form/LeadForm.module.css";
import { SubmitButton } from "@/features/lead-form/SubmitButton";
import { TextField } from "@/features/lead-form/TextField";
import { Trap } from "@/features/lead-form/Trap";
import { useToaster } from "@/features/toasts/ToastContext";
import { useComplaint } from "./useComplaint";
import type { ComplaintFormWords } from "./words";

interface Props {
  words: ComplaintFormWords;
  /** Hears the reference once the complaint is stored. */
  onStored: (reference: string) => void;
}

export function ComplaintForm({ words, onStored }: Props) {
  const prefix = useId();
  const toaster = useToaster();
  const { prepare } = toaster;
  const { register, errorOf, wrong, status, submit } = useComplaint({
    onStored,
    onFailed: () => toaster.show({ ...words.failure.toast, tone: "destructive" }),
  });
  useEffect(prepare, [prepare]);
  const field = (name: "name" | "email" | "text" | "website") => ({
    id: `${prefix}-${name}`,
    ...register(name),
  });
  const shown = (name: "name" | "email" | "text") => ({
    ...field(name),
    label: words.labels[name],
    error: errorOf(name),
    required: true,
  });
  return (
    // As in the enquiry form: without the script nothing typed lands in an address.
    <form method="dialog" noValidate className={styles.form} onSubmit={submit}>
      <p className={styles.note}>{words.requiredNote}</p>
      <TextField {...shown("name")} autoComplete="name" maxLength={80} />
      <TextField
        {...shown("email")}
        hint={words.hints.email}
        type="email"
        autoComplete="email"
        maxLength={100}
      />
      <TextField {...shown("text")} hint={words.hints.text} rows={5} maxLength={5000} />
      <Trap {...field("website")} />
      <ErrorSummary words={words.summary} wrong={wrong} idOf={(name) => `${prefix}-${name}`} />
      {status === "failed" && <FailureBar words={words.failure} onAgain={() => submit()} />}
      <SubmitButton words={words} status={status} />
      <p className={styles.notices}>{words.notice}</p>
      <noscript>
        <p>{words.withoutScript}</p>
      </noscript>
    </form>
  );
}
