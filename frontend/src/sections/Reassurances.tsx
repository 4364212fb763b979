import { Icon } from "@/components/Icon";
import { LanguageChats } from "@/components/LanguageChats";
import ui from "@/styles/ui.module.css";
import styles from "./Reassurances.module.css";

export type ReassuranceLine = Content<"lead-form.yaml">["reassurances"][number];

interface Props {
  title: string;
  lines: readonly ReassuranceLine[];
  /** The tag of its chat links. */
  source: string;
}

/** What stands beside a form: what follows the press, and the chat in other languages. */
export function Reassurances({ title, lines, source }: Props) {
  return (
    <div className={styles.beside}>
      <h2 className={ui.modest}>{title}</h2>
      <ul className={ui.stack}>
        {lines.map(({ icon, title, text }) => (
          <li key={title} className={styles.line}>
            <Icon name={icon} className={ui.tile} />
            <div>
              <h3 className={ui.plain}>{title}</h3>
              <p className={styles.text}>{text}</p>
            </div>
          </li>
        ))}
      </ul>
      <LanguageChats source={source} />
    </div>
  );
}
