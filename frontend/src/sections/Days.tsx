import ui from "@/styles/ui.module.css";
import styles from "./Days.module.css";

interface Props {
  days: readonly { label: string; text: string }[];
}

/** What happens on which days, one after the other. */
export function Days({ days }: Props) {
  return (
    <ol className={styles.days}>
      {days.map(({ label, text }) => (
        <li key={text} className={styles.day}>
          <p className={ui.overline}>{label}</p>
          {text}
        </li>
      ))}
    </ol>
  );
}
