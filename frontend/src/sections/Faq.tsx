import { Band, type BandWords } from "@/components/Band";
import buttons from "@/components/button.module.css";
import { ChatLink } from "@/components/ContactLinks";
import { Icon } from "@/components/Icon";
import styles from "./Faq.module.css";

interface Props {
  words: { heading: BandWords; faq: readonly { question: string; answer: string }[]; chat: string };
  /** The tag of its chat link. */
  source: string;
}

/** The first answer is open: it is the one that most people come for. */
export function Faq({ words, source }: Props) {
  const chat = (
    <ChatLink source={source} className={`${buttons.quiet} ${styles.chat}`}>
      <Icon name="chat" />
      {words.chat}
    </ChatLink>
  );
  return (
    <Band id="questions" words={words.heading} tone="white" layout="columns" aside={chat}>
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
