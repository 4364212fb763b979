import { Icon } from "@/components/Icon";
import { HeroActions } from "./HeroActions";
import styles from "./HeroText.module.css";

export interface HeroWords {
  overline: string;
  title: string;
  proof: string;
  primary: string;
  chat: string;
  line: string;
}

interface Props {
  words: HeroWords;
  source: string;
}

export function HeroText({ words, source }: Props) {
  return (
    <div className={styles.text}>
      <p className={styles.overline}>{words.overline}</p>
      <h1>{words.title}</h1>
      <p className={styles.proof}>{words.proof}</p>
      <HeroActions primary={words.primary} chat={words.chat} source={source} />
      <p className={styles.line}>
        <Icon name="check" />
        {words.line}
      </p>
    </div>
  );
}
