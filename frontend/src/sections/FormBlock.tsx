import { Icon, type IconName } from "@/components/Icon";
import { LeadFormCard } from "@/features/lead-form/LeadFormCard";
import type { LeadFormWords } from "@/features/lead-form/words";
import styles from "./FormBlock.module.css";

interface Props {
  words: LeadFormWords;
  reassurances: readonly { icon: IconName; title: string; text: string }[];
  source: string;
}

export function FormBlock({ words, reassurances, source }: Props) {
  return (
    <div className={styles.block}>
      <div className={styles.row}>
        <LeadFormCard words={words} source={source} />
        <ul className={styles.lines}>
          {reassurances.map(({ icon, title, text }) => (
            <li key={title} className={styles.line}>
              <Icon name={icon} className={styles.icon} />
              <div>
                <h3>{title}</h3>
                <p>{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
