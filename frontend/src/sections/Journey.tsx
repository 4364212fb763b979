import { Band } from "@/components/Band";
import { Icon } from "@/components/Icon";
import { Pictogram } from "@/components/Pictogram";
import ui from "@/styles/ui.module.css";
import styles from "./Journey.module.css";

interface Props {
  words: Content<"journey.yaml">;
  /** Whether one of them rests on a claim that is a sample. */
  sample: boolean;
}

export function Journey({ words, sample }: Props) {
  return (
    <Band id="patient-journey" words={words.heading} tone="white" printed sample={sample}>
      <ol className={styles.steps}>
        {words.steps.map(({ pictogram, title, when, who, text }) => (
          <li key={title} className={styles.step}>
            <Pictogram name={pictogram} className={styles.sign} />
            <h3>{title}</h3>
            <p className={ui.overline}>{when}</p>
            {text && <p className={styles.text}>{text}</p>}
            <p className={styles.who}>
              <Icon name="people" />
              <span>
                <span className={ui.hidden}>{words.who}: </span>
                {who}
              </span>
            </p>
          </li>
        ))}
      </ol>
    </Band>
  );
}
