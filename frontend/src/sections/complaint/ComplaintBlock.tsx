import { useState } from "react";
import { ComplaintForm, type ComplaintFormWords } from "@/features/complaint/ComplaintForm";
import styles from "./ComplaintBlock.module.css";
import { ComplaintReceipt, type ReceiptWords } from "./ComplaintReceipt";

interface Props {
  words: {
    title: string;
    lead: string;
    other: string;
    form: ComplaintFormWords;
    received: ReceiptWords;
  };
}

/** The form, replaced by the reference once the complaint is stored. */
export function ComplaintBlock({ words }: Props) {
  const [reference, setReference] = useState<string | null>(null);
  return (
    <div className={styles.page}>
      {reference === null ? (
        <>
          <header className={styles.head}>
            <h1 className={styles.title}>{words.title}</h1>
            <p className={styles.lead}>{words.lead}</p>
            <p>{words.other}</p>
          </header>
          <div className={styles.card}>
            <ComplaintForm words={words.form} onStored={setReference} />
          </div>
        </>
      ) : (
        <ComplaintReceipt words={words.received} reference={reference} />
      )}
    </div>
  );
}
