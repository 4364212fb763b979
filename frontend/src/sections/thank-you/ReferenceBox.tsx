import { useState } from "react";
import { Icon } from "@/components/Icon";
import { useHydrated } from "@/lib/hydrated";
import { logFailure } from "@/lib/log";
import styles from "./ReferenceBox.module.css";

interface Props {
  words: { label: string; copy: string; copied: string };
  /** Null while pre-rendering: the box is shown empty. */
  reference: string | null;
  /** False for a number under which nothing is stored. */
  canCopy?: boolean;
}

export function ReferenceBox({ words, reference, canCopy = true }: Props) {
  const [copied, setCopied] = useState(false);
  const canCopyHere = useHydrated() && canCopy;

  function copy(): void {
    const writing = navigator.clipboard?.writeText(reference ?? "") ?? Promise.reject(new Error("no clipboard"));
    writing.then(() => setCopied(true)).catch((cause: unknown) => logFailure("Copying the reference", cause));
  }

  return (
    <div className={styles.box}>
      <p className={styles.label}>{words.label}</p>
      <output className={styles.number} data-reference>
        {reference ?? "\u2007\u2007\u2007\u2007\u2007\u2007"}
      </output>
      {/* Hidden in its place, so that nothing moves once the page knows and can. */}
      <button type="button" className={styles.copy} onClick={copy} data-hidden={canCopyHere ? undefined : ""}>
        {copied ? <Icon name="check" /> : <Icon name="copy" />}
        <span aria-live="polite">{copied ? words.copied : words.copy}</span>
      </button>
    </div>
  );
}
