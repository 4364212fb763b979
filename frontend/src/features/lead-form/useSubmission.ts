import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { SubmissionStatus } from "@/components/form/SubmitButton";
import type { ToastWords } from "@/components/Toasts";
import { forgetDraft } from "@/lib/draft";
import { report } from "@/lib/events";
import { logFailure } from "@/lib/log";
import { patienceLeft, postNatively } from "@/lib/nativeForm";
import type { Receipt } from "@/lib/receipt";
import type { LeadFormWords } from "./fields";
import type { Sent, Submission } from "./submission";
import type { LoadedForm } from "./useLeadForm";

const REDIRECT_DELAY_MS = 1000;
/** However the network stalls, no attempt takes longer. The next one sends with the same key. */
const MAX_WAIT_MS = 20_000;
/** Pauses between attempts while our server cannot be reached; the last one again and again. */
const PAUSES_MS = [2000, 5000, 10_000, 30_000];

interface Parts {
  form: RefObject<HTMLFormElement | null>;
  words: Pick<LeadFormWords, "failure" | "limited" | "success">;
  load: () => Promise<LoadedForm>;
  countryIso: () => string;
  showToast: (toast: ToastWords) => void;
  goToThankYou: (receipt: Receipt) => void;
}

function abortAfter(ms: number): AbortSignal {
  const control = new AbortController();
  setTimeout(() => control.abort(new Error(`No answer within ${ms} ms`)), ms);
  return control.signal;
}

/** The step's result, unless the signal ends the wait before. */
function until<Result>(signal: AbortSignal, step: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    step.then(resolve, reject);
  });
}

/** Ends after a while, when the network is back, or when the signal says so. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}

/** From the press to the thank-you page, or to a failure with everything typed kept. */
export function useSubmission({ form, words, load, countryIso, showToast, goToThankYou }: Parts) {
  const [status, setStatus] = useState<SubmissionStatus>("idle");
  const busy = useRef(false);
  const last = useRef<Submission | null>(null);
  const redirect = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const waiting = useRef(new AbortController());

  useEffect(() => {
    // Back from the thank-you page before it was shown, or from the answer to a form that the browser posted: the form
    // is still there, and serves again.
    const serveAgain = () => {
      busy.current = false;
      setStatus("idle");
    };
    const onBack = () => redirect.current !== undefined && serveAgain();
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && serveAgain();
    window.addEventListener("popstate", onBack);
    window.addEventListener("pageshow", onShow);
    return () => {
      window.removeEventListener("popstate", onBack);
      window.removeEventListener("pageshow", onShow);
      clearTimeout(redirect.current);
      waiting.current.abort();
    };
  }, []);

  function fail(status: "failed" | "limited" = "failed"): SubmissionStatus {
    const { toast } = status === "limited" ? words.limited : words.failure;
    showToast({ ...toast, tone: "destructive" });
    return status;
  }

  /** The browser posts the form itself. The page stays as it is until the server answers. */
  function goNatively(start = ""): SubmissionStatus {
    if (form.current) {
      postNatively(form.current, last.current ? { ...last.current, start } : undefined);
    }
    return "sending";
  }

  function succeed(submission: Submission, sent: Sent, firstName: string): SubmissionStatus {
    const { id, reference, call, withinADay, details } = sent;
    const { title, description, later } = words.success;
    last.current = null;
    forgetDraft("enquiry");
    report({ kind: "conversion", leadId: id, eventId: submission.eventId });
    showToast({ title, description: withinADay ? description : later, tone: "calm" });
    redirect.current = setTimeout(goToThankYou, REDIRECT_DELAY_MS, { reference, firstName, call, details });
    return "sent";
  }

  /** One attempt. Null: our server was not reached. */
  async function attempt({ chunk, start, validate, empty, refuse }: LoadedForm): Promise<SubmissionStatus | null> {
    const entry = await validate();
    if (entry === null) {
      return "idle";
    }
    const submission = chunk.submissionFor(entry, countryIso(), last.current);
    last.current = submission;
    const signal = abortAfter(MAX_WAIT_MS);
    const result = await until(signal, chunk.submitLead(submission, start, signal)).catch(() => null);
    switch (result?.kind) {
      case "sent":
        empty();
        return succeed(submission, result, entry.name);
      case "refused":
        fail();
        refuse(result.errors);
        return "idle";
      case "failed":
      case "limited":
        return fail(result.kind);
      default:
        return null;
    }
  }

  /** Tries until our server answers. Where only this request does not get through, the browser's own way is left. */
  async function send(): Promise<SubmissionStatus> {
    const patience = abortAfter(form.current ? patienceLeft(form.current) : 0);
    const loaded = await until(patience, load()).catch((cause: unknown) => {
      logFailure("Loading the form", cause);
      return null;
    });
    if (loaded === null) {
      return goNatively();
    }
    for (let failures = 0; ; failures += 1) {
      const begun = Date.now();
      const outcome = await attempt(loaded);
      if (outcome !== null) {
        return outcome;
      }
      const hung = Date.now() - begun >= MAX_WAIT_MS;
      // A line that drops answers for a moment would leave the browser's own error page in the place of ours.
      if ((failures > 1 || hung) && (await loaded.start.isSiteThere())) {
        const { "Start-Token": token } = await loaded.start.headers();
        return goNatively(token);
      }
      if (failures === 0) {
        fail();
      }
      setStatus("waiting");
      waiting.current = new AbortController();
      await pause(PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0, waiting.current.signal);
      if (form.current === null) {
        return "idle";
      }
      setStatus("sending");
    }
  }

  /** A call while another one is in progress does nothing, but for ending a pause. */
  async function submit(event?: FormEvent): Promise<void> {
    event?.preventDefault();
    if (busy.current) {
      waiting.current.abort();
      return;
    }
    busy.current = true;
    setStatus("sending");
    const outcome = await send().catch((cause: unknown) => {
      logFailure("Sending the enquiry", cause);
      return fail();
    });
    setStatus(outcome);
    busy.current = outcome === "sent" || outcome === "sending";
  }

  return { status, submit };
}
