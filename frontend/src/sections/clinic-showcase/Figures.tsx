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
    <div className={styles.group}>
      <ul className={styles.figures} aria-label={label}>
        {figures.map(({ id, value, words }) => (
          <li key={id} className={styles.figure}>
            <strong className={styles.value}>{value}</strong> <span>{words}</span>
          </li>
        ))}
      </ul>
      {figures.some(({ sample }) => sample) && <SampleTag />}
    </div>
  );
}
