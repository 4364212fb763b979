import { SampleTag } from "@/components/SampleTag";
import styles from "./Figures.module.css";

export interface ClinicFigure {
  id: string;
  value: string;
  words: string;
  sample: boolean;
}

/** Renders nothing when no figure may be shown. */
export function Figures({ label, figures }: { label: string; figures: readonly ClinicFigure[] }) {
  if (figures.length === 0) {
    return null;
  }
  return (
    <ul className={styles.figures} aria-label={label}>
      {figures.map(({ id, value, words, sample }) => (
        <li key={id} className={styles.figure}>
          <strong className={styles.value}>{value}</strong> <span>{words}</span> {sample && <SampleTag />}
        </li>
      ))}
    </ul>
  );
}
