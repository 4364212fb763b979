import { Icon, type IconName } from "@/components/Icon";
import { SampleTag } from "@/components/SampleTag";
import styles from "./TopBar.module.css";

interface Props {
  label: string;
  items: readonly { id: string; icon: IconName; words: string; sample: boolean }[];
  /** Shown instead when no figure may be shown. */
  instead: string;
}

export function TopBar({ label, items, instead }: Props) {
  return (
    <aside className={styles.bar} aria-label={label}>
      <div className={styles.row}>
        {items.length === 0 ? (
          <p className={styles.instead}>{instead}</p>
        ) : (
          <ul className={styles.items}>
            {items.map(({ id, icon, words }) => (
              <li key={id} className={styles.item}>
                <Icon name={icon} className={styles.icon} />
                {words}
              </li>
            ))}
          </ul>
        )}
        {items.some(({ sample }) => sample) && <SampleTag />}
      </div>
    </aside>
  );
}
