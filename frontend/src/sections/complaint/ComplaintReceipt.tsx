import { NextSteps, type Step } from "@/sections/thank-you/NextSteps";
import { ReferenceBox } from "@/sections/thank-you/ReferenceBox";
import styles from "./ComplaintBlock.module.css";

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
}

/** Takes the focus, because the form that had it is gone. */
function focus(heading: HTMLElement | null): void {
  heading?.focus();
}

export function ComplaintReceipt({ words, reference }: Props) {
  return (
    <>
      <header className={styles.head}>
        <h1 ref={focus} tabIndex={-1} className={styles.title}>
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
