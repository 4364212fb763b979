import { Band, type BandWords } from "@/components/Band";
import { Icon } from "@/components/Icon";
import styles from "./Faq.module.css";

interface Props {
  words: { heading: BandWords; faq: readonly { question: string; answer: string }[] };
}

/** The first answer is open: it is the one that most people come for. */
export function Faq({ words }: Props) {
  return (
    <Band id="questions" words={words.heading} tone="paper">
      <div className={styles.list}>
        {words.faq.map(({ question, answer }, place) => (
          <details key={question} className={styles.item} open={place === 0}>
            <summary className={styles.question}>
              {question}
              <Icon name="chevron" className={styles.chevron} />
            </summary>
            <p className={styles.answer}>{answer}</p>
          </details>
        ))}
      </div>
    </Band>
  );
}
