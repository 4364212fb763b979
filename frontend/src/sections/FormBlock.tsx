import { LeadFormCard } from "@/features/lead-form/LeadForm";
import type { LeadFormWords } from "@/features/lead-form/words";
import styles from "./FormBlock.module.css";
import { type ReassuranceLine, Reassurances } from "./Reassurances";

interface Props {
  words: LeadFormWords;
  reassurances: readonly ReassuranceLine[];
  source: string;
}

export function FormBlock({ words, reassurances, source }: Props) {
  return (
    <div className={styles.block}>
      <div className={styles.row}>
        <LeadFormCard words={words} source={source} />
        <Reassurances lines={reassurances} source={source} />
      </div>
    </div>
  );
}
