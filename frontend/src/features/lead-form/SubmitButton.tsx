import buttons from "@/components/button.module.css";
import { Spinner } from "@/components/Spinner";
import styles from "./SubmitButton.module.css";
import type { SubmissionStatus } from "./useSubmission";
import type { LeadFormWords } from "./words";

interface Props {
  words: Pick<LeadFormWords, "submit" | "sending">;
  status: SubmissionStatus;
}

/** Keeps its width while the spinner shows: the words stay in place, unseen. */
export function SubmitButton({ words, status }: Props) {
  const sending = status === "sending";
  return (
    <button
      type="submit"
      className={`${buttons.primary} ${styles.submit}`}
      disabled={sending || status === "sent"}
      aria-busy={sending}
    >
      <span className={styles.words} data-hidden={sending ? "" : undefined}>
        {words.submit}
      </span>
      {sending && (
        <span className={styles.wait}>
          <Spinner />
          <span className={styles.spoken}>{words.sending}</span>
        </span>
      )}
    </button>
  );
}
