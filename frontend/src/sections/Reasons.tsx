import { Band, type BandWords } from "@/components/Band";
import { Pictogram } from "@/components/Pictogram";
import ui from "@/styles/ui.module.css";
import styles from "./Reasons.module.css";

interface Props {
  words: { heading: BandWords; reasons: Content<"reasons.yaml">["reasons"] };
  /** Whether one of them rests on a claim that is a sample. */
  sample: boolean;
}

export function Reasons({ words, sample }: Props) {
  return (
    <Band id="why-choose-us" words={words.heading} tone="paper" layout="columns" sample={sample}>
      <ul className={styles.reasons}>
        {words.reasons.map(({ pictogram, title, text }) => (
          <li key={title} className={styles.reason}>
            <Pictogram name={pictogram} className={styles.icon} />
            <h3 className={ui.minor}>{title}</h3>
            <p className={ui.muted}>{text}</p>
          </li>
        ))}
      </ul>
    </Band>
  );
}
