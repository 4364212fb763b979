import type { ReactNode } from "react";
import buttons from "@/components/button.module.css";
import { Icon } from "@/components/Icon";
import { scrollBehaviour } from "@/lib/scroll";
import styles from "./FailureBar.module.css";
import type { SubmissionStatus } from "./SubmitButton";

interface Props {
  status: SubmissionStatus;
  words: { failure: { text: string; again: string }; limited: { text: string } };
  onAgain: () => void;
  /** An alternative to trying again. */
  children?: ReactNode;
}

/** The toast at the foot of the screen says the same: neither may cover what the visitor needs next. */
function bringIntoView(bar: HTMLElement | null): void {
  bar?.scrollIntoView?.({ block: "nearest", behavior: scrollBehaviour() });
}

/** Shown inside the card after a failed attempt; everything typed is kept. */
export function FailureBar({ status, words, onAgain, children }: Props) {
  if (status !== "failed" && status !== "limited") {
    return null;
  }
  return (
    <div ref={bringIntoView} className={styles.bar} role="alert">
      <p className={styles.text}>
        <Icon name="alert" />
        {(status === "failed" ? words.failure : words.limited).text}
      </p>
      <div className={styles.ways}>
        <button type="button" className={buttons.quiet} onClick={onAgain}>
          {words.failure.again}
        </button>
        {children}
      </div>
    </div>
  );
}
