import { Icon, type IconName } from "@/components/Icon";
import { SampleTag } from "@/components/SampleTag";
import styles from "./TrustStrip.module.css";

interface Props {
  label: string;
  cells: readonly { id: string; icon: IconName; words: string; evidence: string | null; sample: boolean }[];
}

/** Up to four statements, each linked to its evidence where there is some. Renders nothing when there are none. */
export function TrustStrip({ label, cells }: Props) {
  if (cells.length === 0) {
    return null;
  }
  const sample = cells.some((cell) => cell.sample);
  return (
    <section className={styles.strip} aria-label={label}>
      <ul className={styles.cells}>
        {cells.map(({ id, icon, words, evidence }, place) => (
          <li key={id} className={styles.cell}>
            <Icon name={icon} className={styles.icon} />
            <span className={styles.words}>
              {evidence ? (
                <a href={evidence} className={styles.link}>
                  {words}
                </a>
              ) : (
                <span>{words}</span>
              )}
              {sample && place === cells.length - 1 && <SampleTag />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
