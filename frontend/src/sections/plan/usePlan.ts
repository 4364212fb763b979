import { type FormEvent, useEffect, useRef, useState } from "react";
import { takeOver } from "@/lib/nativeForm";
import { type PlanAnswers, type PlanData, planView, readAnswers, tap, textOf } from "@/lib/plan";
import { readJson, writeJson } from "@/lib/storage";
import { ANSWER } from "./PlanAnswer";

/** Like a form's draft: kept for this tab until the enquiry is sent. */
const KEPT = "plan_draft";

function keptAnswers(): Record<string, string> {
  const kept = readJson("session", KEPT);
  return typeof kept === "string" ? Object.fromEntries(new URLSearchParams(kept)) : {};
}

/** What was chosen before the script could answer, else what was chosen in this tab. */
function chosenIn(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value)] as const);
  return { ...keptAnswers(), ...Object.fromEntries(entries.filter(([, value]) => value !== "")) };
}

/** The answers to the plan's questions, the form that takes them, and what the lists say to them. */
export function usePlan(data: PlanData, list: string) {
  const form = useRef<HTMLFormElement>(null);
  const [answers, setAnswers] = useState<PlanAnswers>({
    list,
    about: null,
    missing: [],
    replace: [],
    xray: null,
  });
  useEffect(() => {
    if (form.current) {
      const chosen = readAnswers(data, { ...chosenIn(form.current), list });
      setAnswers((before) => chosen ?? before);
      return takeOver(form.current);
    }
  }, [data, list]);

  function change(after: PlanAnswers): void {
    setAnswers(after);
    writeJson("session", KEPT, textOf(after, data.version));
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (submitter instanceof HTMLButtonElement && submitter.name === "tap") {
      change(tap(data, answers, submitter.value));
    } else {
      document.getElementById(ANSWER)?.scrollIntoView();
    }
  }

  const view = planView(data, answers);
  return {
    form,
    answers,
    view,
    /** What goes with an enquiry; null while it is not known what it is about. */
    text: view && textOf(answers, data.version),
    onSubmit,
    onChoice: (name: "about" | "xray", value: string) => change({ ...answers, [name]: value }),
  };
}
