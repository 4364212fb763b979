import buttons from "@/components/button.module.css";
import { Icon } from "@/components/Icon";
import styles from "@/features/lead-form/FailureBar.module.css";
import type { ComplaintFormWords } from "./words";

interface Props {
  words: ComplaintFormWords["failure"];
  onAgain: () => void;
}

/** Stays after a failed attempt: everything typed is kept. */
export function ComplaintFailure({ words, onAgain }: Props) {
  return (
    <div className={styles.bar} role="alert">
      <p className={styles.text}>
        <Icon name="alert" />
        {words.text}
      </p>
      <div className={styles.ways}>
        <button type="button" className={buttons.quiet} onClick={onAgain}>
          {words.again}
        </button>
      </div>
    </div>
  );
}
