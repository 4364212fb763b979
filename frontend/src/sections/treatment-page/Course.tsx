import { Band } from "@/components/Band";
import { Icon } from "@/components/Icon";
import styles from "./Course.module.css";
import parts from "./PriceParts.module.css";

interface Props {
  words: { title: string; suits: string; decides: string; benefits: string };
  steps: readonly string[];
  suits: readonly string[];
  benefits: readonly string[];
}

/** The steps of the treatment, and beside them whom it suits. */
export function Course({ words, steps, suits, benefits }: Props) {
  return (
    <Band id="what-happens" words={words} tone="paper">
      <div className={styles.row}>
        <ol className={styles.steps}>
          {steps.map((step) => (
            <li key={step} className={styles.step}>
              {step}
            </li>
          ))}
        </ol>
        <div className={styles.beside}>
          <h3>{words.suits}</h3>
          <Points lines={suits} />
          <p className={styles.note}>{words.decides}</p>
          <h3>{words.benefits}</h3>
          <Points lines={benefits} />
        </div>
      </div>
    </Band>
  );
}

function Points({ lines }: { lines: readonly string[] }) {
  return (
    <ul className={parts.lines}>
      {lines.map((line) => (
        <li key={line}>
          <Icon name="check" />
          {line}
        </li>
      ))}
    </ul>
  );
}
