import styles from "@/sections/FormPage.module.css";
import { NextSteps, type Step } from "@/sections/thank-you/NextSteps";
import { ReferenceBox } from "@/sections/thank-you/ReferenceBox";

export interface ReceiptWords {
  title: string;
  lead: string;
  reference: { label: string; copy: string; copied: string };
  next: { title: string; steps: readonly Step[] };
  home: string;
  privacy: { href: string; text: string };
}

interface Props {
  words: ReceiptWords;
  reference: string;
  /** The form that had the focus is gone. */
  takesFocus: boolean;
}

function focus(heading: HTMLElement | null): void {
  heading?.focus();
}

export function ComplaintReceipt({ words, reference, takesFocus }: Props) {
  return (
    <>
      <header className={styles.head}>
        <h1 ref={takesFocus ? focus : undefined} tabIndex={-1} className={styles.title}>
          {words.title}
        </h1>
        <p className={styles.lead}>{words.lead}</p>
        <div className={styles.reference}>
          <ReferenceBox words={words.reference} reference={reference} />
        </div>
      </header>
      <NextSteps title={words.next.title} steps={words.next.steps} />
      <p className={styles.ways}>
        <a href={words.privacy.href}>{words.privacy.text}</a>
        <a href="/">{words.home}</a>
      </p>
    </>
  );
}
