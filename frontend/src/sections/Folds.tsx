import type { ReactNode } from "react";
import { Icon } from "@/components/Icon";
import styles from "./Folds.module.css";

interface Props {
  folds: readonly { question: string; answer: ReactNode }[];
}

/** Questions that open by themselves, without any script. The first is open: it is the one that most people come for. */
export function Folds({ folds }: Props) {
  return (
    <div className={styles.list}>
      {folds.map(({ question, answer }, place) => (
        <details key={question} className={styles.item} open={place === 0}>
          <summary className={styles.question}>
            {question}
            <Icon name="chevron" className={styles.chevron} />
          </summary>
          <div className={styles.answer}>{answer}</div>
        </details>
      ))}
    </div>
  );
}
