import { Icon, type IconName } from "@/components/Icon";
import styles from "./Reassurances.module.css";

export interface ReassuranceLine {
  icon: IconName;
  title: string;
  text: string;
}

/** The lines beside a form. */
export function Reassurances({ lines }: { lines: readonly ReassuranceLine[] }) {
  return (
    <ul className={styles.lines}>
      {lines.map(({ icon, title, text }) => (
        <li key={title} className={styles.line}>
          <Icon name={icon} className={styles.icon} />
          <div>
            <h3 className={styles.title}>{title}</h3>
            <p className={styles.text}>{text}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
