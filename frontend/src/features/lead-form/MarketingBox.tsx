import type { ControlProps } from "@/components/form/Field";
import styles from "./MarketingBox.module.css";

interface Props extends ControlProps {
  words: { text: string; version: string };
}

/** Unticked until the visitor ticks it, never required. Its value is the version of its wording. */
export function MarketingBox({ words, ...control }: Props) {
  return (
    <label className={styles.line}>
      <input {...control} type="checkbox" value={words.version} className={styles.box} />
      {words.text}
    </label>
  );
}
