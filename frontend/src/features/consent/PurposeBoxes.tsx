import { useId } from "react";
import type { ConsentChoice, Purpose } from "@/lib/consent";
import styles from "./ConsentBanner.module.css";
import type { ConsentWords } from "./words";

interface Props {
  words: Pick<ConsentWords, "legend" | "purposes" | "needed">;
  purposes: readonly Purpose[];
  choice: ConsentChoice;
  onChange: (choice: ConsentChoice) => void;
}

/** One box for each purpose, unticked until the visitor ticks it. */
export function PurposeBoxes({ words, purposes, choice, onChange }: Props) {
  const id = useId();
  return (
    <fieldset className={styles.purposes}>
      <legend>{words.legend}</legend>
      {purposes.map((purpose) => (
        <label key={purpose} className={styles.purpose}>
          <input
            type="checkbox"
            checked={choice[purpose] === true}
            aria-describedby={`${id}${purpose}`}
            onChange={({ target }) => onChange({ ...choice, [purpose]: target.checked })}
          />
          <span className={styles.label}>{words.purposes[purpose].label}</span>
          <span id={`${id}${purpose}`} className={styles.detail}>
            {words.purposes[purpose].text}
          </span>
        </label>
      ))}
      <p className={styles.detail}>{words.needed}</p>
    </fieldset>
  );
}
