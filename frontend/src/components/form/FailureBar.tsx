import type { ReactNode } from "react";
import buttons from "@/components/button.module.css";
import { Icon } from "@/components/Icon";
import styles from "./FailureBar.module.css";

interface Props {
  words: { text: string; again: string };
  onAgain: () => void;
  /** An alternative to trying again. */
  children?: ReactNode;
}

/** Shown inside the card after a failed attempt; everything typed is kept. */
export function FailureBar({ words, onAgain, children }: Props) {
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
        {children}
      </div>
    </div>
  );
}
