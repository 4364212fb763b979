import type { ReactNode } from "react";
import buttons from "@/components/button.module.css";
import { Icon } from "@/components/Icon";
import styles from "./FailureBar.module.css";
import type { SubmissionStatus } from "./SubmitButton";

interface Props {
  status: SubmissionStatus;
  words: {
    failure: { text: string; again: string };
    limited: { text: string };
    waiting?: { text: string; again: string };
  };
  onAgain: () => void;
  /** An alternative to trying again. */
  children?: ReactNode;
}

/**
 * The toast at the foot of the screen says the same: neither may cover what the visitor needs next. At once: whatever
 * moves on the page meanwhile ends a smooth scroll on its way.
 */
function bringIntoView(bar: HTMLElement | null): void {
  bar?.scrollIntoView?.({ block: "nearest", behavior: "instant" });
}

/** Shown inside the card after a failed attempt, and while the form waits for the network; everything typed is kept. */
export function FailureBar({ status, words, onAgain, children }: Props) {
  if (status !== "failed" && status !== "limited" && status !== "waiting") {
    return null;
  }
  const { again } = words.failure;
  const said = { failed: words.failure, limited: words.limited, waiting: words.waiting ?? words.failure }[status];
  return (
    <div ref={bringIntoView} className={styles.bar} role="alert">
      <p className={styles.text}>
        <Icon name="alert" />
        {said.text}
      </p>
      <div className={styles.contactOptions}>
        <button type="button" className={buttons.quiet} onClick={onAgain}>
          {"again" in said ? said.again : again}
        </button>
        {children}
      </div>
    </div>
  );
}
