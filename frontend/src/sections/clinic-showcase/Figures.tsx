import styles from "./Figures.module.css";

export interface ClinicFigure {
  id: string;
  value: string;
  words: string;
  sample: boolean;
}

export function Figures({ label, figures }: { label: string; figures: readonly ClinicFigure[] }) {
  return (
    <ul className={styles.figures} aria-label={label}>
      {figures.map(({ id, value, words }) => (
        <li key={id} className={styles.figure}>
          <strong className={styles.value}>{value}</strong> <span>{words}</span>
        </li>
      ))}
    </ul>
  );
}
