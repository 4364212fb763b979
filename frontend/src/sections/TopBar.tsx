import { Icon, type IconName } from "@/components/Icon";
import styles from "./TopBar.module.css";

interface Props {
  label: string;
  items: readonly { icon: IconName; text: string }[];
}

export function TopBar({ label, items }: Props) {
  return (
    <aside className={styles.bar} aria-label={label}>
      <ul className={styles.items}>
        {items.map(({ icon, text }) => (
          <li key={text} className={styles.item}>
            <Icon name={icon} className={styles.icon} />
            {text}
          </li>
        ))}
      </ul>
    </aside>
  );
}
