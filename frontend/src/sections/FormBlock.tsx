import { LeadFormCard } from "@/features/lead-form/LeadForm";
import type { AttachedPlan, LeadFormWords } from "@/features/lead-form/words";
import styles from "./FormBlock.module.css";
import { type ReassuranceLine, Reassurances } from "./Reassurances";

interface Props {
  words: LeadFormWords;
  beside: { title: string; lines: readonly ReassuranceLine[] };
  source: string;
  plan: AttachedPlan | null;
}

export function FormBlock({ words, beside, source, plan }: Props) {
  return (
    <div className={styles.block}>
      <div className={styles.row}>
        <LeadFormCard words={words} plan={plan} />
        <Reassurances {...beside} source={source} />
      </div>
    </div>
  );
}
