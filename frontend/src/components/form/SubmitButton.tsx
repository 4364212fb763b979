import buttons from "@/components/button.module.css";
import ui from "@/styles/ui.module.css";
import styles from "./SubmitButton.module.css";

export type SubmissionStatus = "idle" | "sending" | "waiting" | "failed" | "limited" | "sent";

interface Props {
  words: { submit: string; sending: string };
  status: SubmissionStatus;
}

/** Keeps its width while the spinner shows: the text stays in place, invisible. The wait is spoken too. */
export function SubmitButton({ words, status }: Props) {
  const sending = status === "sending";
  return (
    <>
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
          <span className={styles.wait} aria-hidden="true">
            <span className={styles.spinner} />
          </span>
        )}
      </button>
      <span role="status" className={ui.hidden}>
        {sending && words.sending}
      </span>
    </>
  );
}
