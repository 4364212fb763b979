import { type FormEvent, useEffect, useRef, useState } from "react";
import type { SubmissionStatus } from "@/components/form/SubmitButton";
import type { ToastWords } from "@/components/Toasts";
import { report } from "@/lib/events";
import { keepReceipt } from "@/lib/receipt";
import type { Submission } from "./submission";
import type { LoadedForm } from "./useFormController";
import type { LeadFormWords } from "./words";

const REDIRECT_DELAY_MS = 1000;
/** However the network stalls, nobody waits longer for an answer. Pressing again sends with the same key. */
const MAX_WAIT_MS = 20_000;

interface Parts {
  words: Pick<LeadFormWords, "failure" | "limited" | "success">;
  load: () => Promise<LoadedForm>;
  countryIso: () => string;
  showToast: (toast: ToastWords) => void;
  goToThankYou: () => void;
}

/** The step's result, unless the signal ends the wait before. */
function until<Result>(signal: AbortSignal, step: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    step.then(resolve, reject);
  });
}

/** From the press to the thank-you page, or to a failure with everything typed kept. */
export function useSubmission({ words, load, countryIso, showToast, goToThankYou }: Parts) {
  const [status, setStatus] = useState<SubmissionStatus>("idle");
  const busy = useRef(false);
  const last = useRef<Submission | null>(null);
  const redirect = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  useEffect(() => {
    return () => clearTimeout(redirect.current);
  }, []);

  function fail(status: "failed" | "limited" = "failed"): SubmissionStatus {
    const { toast } = status === "limited" ? words.limited : words.failure;
    showToast({ ...toast, tone: "destructive" });
    return status;
  }

  async function send(signal: AbortSignal): Promise<SubmissionStatus> {
    const { chunk, controller } = await until(signal, load());
    const entry = await controller.validate();
    if (entry === null) {
      return "idle";
    }
    const submission = chunk.submissionFor(entry, countryIso(), last.current);
    last.current = submission;
    const result = await until(signal, chunk.submitLead(submission, signal));
    if (result.kind === "failed" || result.kind === "limited") {
      return fail(result.kind);
    }
    if (result.kind === "refused") {
      fail();
      controller.refuse(result.errors);
      return "idle";
    }
    last.current = null;
    keepReceipt({ reference: result.reference, firstName: entry.name, acceptedAt: Date.now() });
    report({ kind: "conversion", leadId: result.id, eventId: submission.eventId });
    showToast({ ...words.success, tone: "calm" });
    controller.reset();
    redirect.current = setTimeout(goToThankYou, REDIRECT_DELAY_MS);
    return "sent";
  }

  /** A call while another one is in progress does nothing. */
  async function submit(event?: FormEvent): Promise<void> {
    event?.preventDefault();
    if (busy.current) {
      return;
    }
    busy.current = true;
    setStatus("sending");
    const wait = new AbortController();
    const timer = setTimeout(() => wait.abort(), MAX_WAIT_MS);
    const outcome = await send(wait.signal).catch(() => fail());
    clearTimeout(timer);
    setStatus(outcome);
    busy.current = outcome === "sent";
  }

  return { status, submit };
}
