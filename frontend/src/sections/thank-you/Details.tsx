import type { FormEvent } from "react";
import buttons from "@/components/button.module.css";
import shared from "@/components/form/form.module.css";
import type { Details as Offered } from "@/lib/details";
import { useHydrated } from "@/lib/hydrated";
import type { Receipt } from "@/lib/receipt";
import page from "./Confirmation.module.css";
import { DetailsFields, type DetailsWords } from "./DetailsFields";
import { useAnswers } from "./useAnswers";

interface Props {
  words: DetailsWords;
  treatments: Readonly<Record<string, string>>;
  receipt: Receipt;
  details: Offered | "saved";
  /** Is told when the clinic calls, after the visitor chose a time. */
  onCall: (call: string) => void;
}

/** Three questions after sending. Without a script they are a form that the browser posts. */
function Questions({ words, treatments, receipt, details, onCall }: Props & { details: Offered }) {
  const { answers, status, answer } = useAnswers(receipt, details, onCall);
  const hydrated = useHydrated();
  return (
    <form
      method="post"
      action="/details"
      className={shared.form}
      onSubmit={(event: FormEvent) => event.preventDefault()}
    >
      <input type="hidden" name="token" value={details.token} />
      <input type="hidden" name="reference" value={receipt.reference} />
      <DetailsFields
        words={words}
        treatments={treatments}
        interest={details.interest}
        slots={details.slots}
        zone={details.zone}
        answers={answers}
        onAnswer={answer}
      />
      {/* The button's room is the status' too, so that nothing moves. */}
      <div className={page.home}>
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
  const { words, details } = props;
  return (
    <section className={page.ready} aria-labelledby="details-title">
      <h2 id="details-title" className={page.heading}>
        {words.title}
      </h2>
      {details === "saved" ? (
        <p>{words.thanks}</p>
      ) : (
        <>
          <p>{words.lead}</p>
          <Questions {...props} details={details} />
        </>
      )}
    </section>
  );
}
