import { Icon, type IconName } from "@/components/Icon";
import { LanguageChats } from "@/components/LanguageChats";
import styles from "./Reassurances.module.css";

export interface ReassuranceLine {
  icon: IconName;
  title: string;
  text: string;
}

/** What stands beside a form: reassuring lines, and the chat in other languages. `source`: the tag of its links. */
export function Reassurances({ lines, source }: { lines: readonly ReassuranceLine[]; source: string }) {
  return (
    <div className={styles.beside}>
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
      <LanguageChats source={source} />
    </div>
  );
}
