import { Band, type BandWords } from "@/components/Band";
import buttons from "@/components/button.module.css";
import { ChatLink } from "@/components/ContactLinks";
import { Icon } from "@/components/Icon";
import styles from "./Faq.module.css";
import { Folds } from "./Folds";

interface Props {
  words: {
    heading: BandWords;
    faq: readonly { question: string; answer: string }[];
    chat: string;
    /** Whether an answer rests on a claim that is a sample. */
    sample: boolean;
  };
  /** The tag of its chat link. */
  source: string;
}

export function Faq({ words, source }: Props) {
  const chat = (
    <ChatLink source={source} className={`${buttons.quiet} ${styles.chat}`}>
      <Icon name="chat" />
      {words.chat}
    </ChatLink>
  );
  return (
    <Band id="questions" words={words.heading} tone="white" layout="columns" sample={words.sample} aside={chat}>
      <Folds folds={words.faq.map(({ question, answer }) => ({ question, answer: <p>{answer}</p> }))} />
    </Band>
  );
}
