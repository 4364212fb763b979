import { Band, type BandWords } from "@/components/Band";
import { Icon, type IconName } from "@/components/Icon";
import styles from "./Reasons.module.css";

interface Props {
  words: { heading: BandWords; reasons: readonly { icon: string; title: string; text: string }[] };
}

export function Reasons({ words }: Props) {
  return (
    <Band id="why-choose-us" words={words.heading} tone="paper">
      <ul className={styles.reasons}>
        {words.reasons.map(({ icon, title, text }) => (
          <li key={title} className={styles.reason}>
            <Icon name={icon as IconName} className={styles.icon} />
            <h3 className={styles.title}>{title}</h3>
            <p className={styles.text}>{text}</p>
          </li>
        ))}
      </ul>
    </Band>
  );
}
