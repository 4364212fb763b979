import type { LeadFormWords } from "@/features/lead-form/fields";
import { LeadFormCard } from "@/features/lead-form/LeadForm";
import styles from "./FormBlock.module.css";
import { type ReassuranceLine, Reassurances } from "./Reassurances";

interface Props {
  words: LeadFormWords;
  beside: { title: string; lines: readonly ReassuranceLine[] };
  source: string;
}

export function FormBlock({ words, beside, source }: Props) {
  return (
    <div className={styles.block}>
      <div className={styles.row}>
        <LeadFormCard words={words} />
        <Reassurances {...beside} source={source} />
      </div>
    </div>
  );
}
