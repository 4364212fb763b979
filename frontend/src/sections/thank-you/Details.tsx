import { type FormEvent, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import type { Api } from "@/api/types";
import buttons from "@/components/button.module.css";
import shared from "@/components/form/form.module.css";
import type { Details as Offered } from "@/lib/details";
import { restoreDraft } from "@/lib/draft";
import { useHydrated } from "@/lib/hydrated";
import { logFailure } from "@/lib/log";
import { type Receipt, receiptAddress } from "@/lib/receipt";
import { post, type Unchecked } from "@/lib/request";
import ui from "@/styles/ui.module.css";
import page from "./Confirmation.module.css";
import { answerOf, DetailsFields, type DetailsWords } from "./DetailsFields";

type Body = Api["/api/details"]["body"];

interface Props {
  words: DetailsWords;
  receipt: Receipt;
}

type FormProps = Props & { details: Offered };

/** The answers to the questions named, as the API takes them; null is as soon as possible. */
function bodyOf(form: HTMLFormElement, names: ReadonlySet<string>, { token, slots }: Offered): Body {
  const chosen = new FormData(form);
  // The visitor's own, where the times are on it.
  const timezone = slots.length > 0 ? Intl.DateTimeFormat().resolvedOptions().timeZone : null;
  return {
    token,
    ...(names.has("interest") && { interest: String(chosen.get("interest")) }),
    ...(names.has("callUntil") && { callUntil: String(chosen.get("callUntil")) || null, timezone }),
    ...(names.has("has") && { has: chosen.getAll("has") as NonNullable<Body["has"]> }),
  };
}

/** Sends what was answered at each change, one after the other: the last one is the last that the server gets. */
function useAnswers(receipt: Receipt, details: Offered) {
  const [status, setStatus] = useState<"saving" | "saved" | "failed" | null>(null);
  /** The last answer, as `answerOf` names it. */
  const [tapped, setTapped] = useState("");
  const navigate = useNavigate();
  const answered = useRef(new Set<string>());
  const last = useRef(Promise.resolve());

  async function send(form: HTMLFormElement): Promise<void> {
    try {
      const response = await post("/api/details", bodyOf(form, answered.current, details), {
        keepalive: true,
      });
      const answer: Unchecked<"/api/details"> = { ...(await response.json()) };
      if (answer.success !== true) {
        throw new Error("not stored");
      }
      const { text }: Partial<Record<"text", unknown>> = { ...(answer.call as object | null) };
      if (typeof text === "string") {
        void navigate(receiptAddress(receipt), { replace: true, state: { ...receipt, call: text } });
      }
      setStatus("saved");
    } catch (cause) {
      logFailure("Saving an answer", cause);
      setStatus("failed");
    }
  }

  function onChange({ currentTarget, target }: FormEvent<HTMLFormElement>): void {
    const { name, value } = target as HTMLInputElement;
    answered.current.add(name);
    setTapped(answerOf(name, value));
    setStatus("saving");
    last.current = last.current.then(() => send(currentTarget));
  }

  return { status, tapped, onChange };
}

/** Three questions after sending: a form that the browser posts, and that the script sends answer by answer. */
export function DetailsForm({ words, receipt, details }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { status, tapped, onChange } = useAnswers(receipt, details);
  const hydrated = useHydrated();
  useEffect(() => {
    if (form.current && hydrated) {
      restoreDraft(form.current);
    }
  }, [hydrated]);
  return (
    <form
      ref={form}
      method="post"
      action="/details"
      data-draft={`details-${receipt.reference}`}
      className={shared.form}
      onChange={onChange}
      onSubmit={(event) => event.preventDefault()}
    >
      <input type="hidden" name="token" value={details.token || undefined} />
      <input type="hidden" name="reference" value={receipt.reference || undefined} />
      <DetailsFields words={words} tapped={status === "saved" ? tapped : null} {...details} />
      {/* The button's room is the status' too, so that nothing moves. */}
      <div className={ui.alone}>
        {hydrated ? (
          <p role="status">{status && words[status]}</p>
        ) : (
          <button type="submit" className={buttons.primary}>
            {words.save}
          </button>
        )}
      </div>
    </form>
  );
}

export function Details(props: Props) {
  const { words, receipt } = props;
  return (
    <section className={page.ready} aria-labelledby="details-title">
      <h2 id="details-title" className={page.heading}>
        {words.title}
      </h2>
      {receipt.details === "saved" || receipt.details === null ? (
        <p>{words.thanks}</p>
      ) : (
        <>
          <p>{words.lead}</p>
          <DetailsForm {...props} details={receipt.details} />
        </>
      )}
    </section>
  );
}
