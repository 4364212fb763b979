import { Band } from "@/components/Band";
import { Points } from "@/components/Points";
import { Days } from "@/sections/Days";
import styles from "./Course.module.css";

interface Props {
  words: { title: string; guide: string; suits: string; decides: string; benefits: string };
  days: readonly { label: string; text: string }[];
  suits: readonly string[];
  benefits: readonly string[];
}

/** The steps of the treatment with their days, and beside them whom it suits. */
export function Course({ words, days, suits, benefits }: Props) {
  return (
    <Band id="what-happens" words={words} tone="paper" printed>
      <div className={styles.row}>
        <div className={styles.beside}>
          <Days days={days} />
          <p className={styles.note}>{words.guide}</p>
        </div>
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
