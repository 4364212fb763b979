import { useEffect, useId, useRef } from "react";
import { ErrorSummary } from "@/components/form/ErrorSummary";
import { FailureBar } from "@/components/form/FailureBar";
import { Honeypot, NativeFields, TextField } from "@/components/form/Field";
import styles from "@/components/form/form.module.css";
import { SubmitButton } from "@/components/form/SubmitButton";
import { useToaster } from "@/components/Toasts";
import { forgetDraft, restoreDraft } from "@/lib/draft";
import { takeOver } from "@/lib/nativeForm";
import { useComplaint } from "./useComplaint";

export interface ComplaintFormWords {
  requiredNote: string;
  labels: { name: string; email: string; text: string };
  hints: { email: string; text: string };
  submit: string;
  sending: string;
  summary: { one: string; many: string };
  failure: { text: string; again: string; toast: { title: string; description: string } };
  limited: { text: string; toast: { title: string; description: string } };
  notice: string;
}

interface Props {
  words: ComplaintFormWords;
  /** Called with the reference once the complaint is stored. */
  onStored: (reference: string) => void;
}

export function ComplaintForm({ words, onStored }: Props) {
  const prefix = useId();
  const form = useRef<HTMLFormElement>(null);
  const toaster = useToaster();
  const { prepare } = toaster;
  const { register, errorOf, wrong, status, submit } = useComplaint({
    form,
    onStored: (reference) => {
      forgetDraft("complaint");
      onStored(reference);
    },
    onFailed: (why) => {
      const { toast } = why === "limited" ? words.limited : words.failure;
      toaster.show({ ...toast, tone: "destructive" });
    },
  });
  useEffect(prepare, [prepare]);
  useEffect(() => {
    if (form.current) {
      restoreDraft(form.current);
      return takeOver(form.current);
    }
  }, []);
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
    <form
      ref={form}
      method="post"
      action="/complaint"
      data-draft="complaint"
      noValidate
      className={styles.form}
      onSubmit={submit}
    >
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
      <NativeFields />
      <Honeypot {...field("website")} />
      <ErrorSummary words={words.summary} wrong={wrong} idOf={(name) => `${prefix}-${name}`} />
      <FailureBar status={status} words={words} onAgain={() => submit()} />
      <SubmitButton words={words} status={status} />
      <p className={styles.notices}>{words.notice}</p>
    </form>
  );
}
