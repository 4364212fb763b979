import { useState } from "react";
import { useLocation } from "react-router-dom";
import { ComplaintForm, type ComplaintFormWords } from "@/features/complaint/ComplaintForm";
import { referenceIn } from "@/lib/shownReceipt";
import styles from "@/sections/FormPage.module.css";
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

/** The form, replaced by the reference once the complaint is stored; without a script the address holds it then. */
export function ComplaintBlock({ words }: Props) {
  const [stored, setStored] = useState<string | null>(null);
  const named = referenceIn(useLocation().search, "complaint");
  const reference = stored ?? named;
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
            <ComplaintForm words={words.form} onStored={setStored} />
          </div>
        </>
      ) : (
        <ComplaintReceipt words={words.received} reference={reference} takesFocus={stored !== null} />
      )}
    </div>
  );
}
