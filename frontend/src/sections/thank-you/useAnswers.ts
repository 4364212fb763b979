import { useRef, useState } from "react";
import type { Api } from "@/api/types";
import type { Answers, Details } from "@/lib/details";
import { logFailure } from "@/lib/log";
import { keepReceipt, type Receipt } from "@/lib/receipt";
import { post, type Unchecked } from "@/lib/request";

type Body = Api["/api/details"]["body"];
type Kind = NonNullable<Body["has"]>[number];
export type SavingStatus = "saving" | "saved" | "failed";

/** The visitor's own, where the times are on it. */
const zoneOf = ({ slots }: Details) =>
  slots.length > 0 ? Intl.DateTimeFormat().resolvedOptions().timeZone : null;

/** The answers as the API takes them; "" is as soon as possible. */
function bodyOf(details: Details, { interest, callUntil, has }: Answers): Body {
  return {
    token: details.token,
    ...(interest !== undefined && { interest }),
    ...(callUntil !== undefined && { callUntil: callUntil || null, timezone: zoneOf(details) }),
    ...(has !== undefined && { has: has as Kind[] }),
  };
}

/** Sends each answer at once, one after the other, so that the last one is the last that the server gets. */
export function useAnswers(receipt: Receipt, details: Details, onCall: (call: string) => void) {
  const [answers, setAnswers] = useState(details.answers);
  const [status, setStatus] = useState<SavingStatus | null>(null);
  const unsaved = useRef<Answers>({});
  const last = useRef<Promise<void>>(Promise.resolve());

  async function send(): Promise<void> {
    const sent = unsaved.current;
    if (Object.keys(sent).length === 0) {
      return;
    }
    unsaved.current = {};
    try {
      const response = await post("/api/details", bodyOf(details, sent), { keepalive: true });
      const answer: Unchecked<"/api/details"> = { ...(await response.json()) };
      if (answer.success !== true) {
        throw new Error("not stored");
      }
      const { text }: Partial<Record<"text", unknown>> = { ...(answer.call as object | null) };
      details.answers = { ...details.answers, ...sent };
      const call = typeof text === "string" ? text : receipt.call;
      receipt.call = call;
      keepReceipt({ ...receipt, call, details });
      if (typeof text === "string") {
        onCall(text);
      }
      setStatus(Object.keys(unsaved.current).length > 0 ? "saving" : "saved");
    } catch (cause) {
      // What was not saved goes with the next answer.
      unsaved.current = { ...sent, ...unsaved.current };
      logFailure("Saving an answer", cause);
      setStatus("failed");
    }
  }

  function answer(change: Answers): void {
    setAnswers((before) => ({ ...before, ...change }));
    unsaved.current = { ...unsaved.current, ...change };
    setStatus("saving");
    last.current = last.current.then(send);
  }

  return { answers, status, answer };
}
