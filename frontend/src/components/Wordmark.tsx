import { PageLink } from "@/components/PageLink";
import styles from "./Wordmark.module.css";

interface Props {
  /** The clinic's name, set in two lines: the first word or two large, the rest small. */
  name: { first: string; rest: string };
}

export function Wordmark({ name }: Props) {
  return (
    <PageLink to="/" className={styles.wordmark}>
      <svg className={styles.sign} viewBox="0 0 32 32" aria-hidden="true">
        <path d="M16 6.3c-2-1.3-4-1.7-5.8-1C7.7 6.3 6.7 8.9 7.2 11.8c.4 2 1.3 3.2 1.7 5.3.5 2.4.5 5.5 2.4 5.8 2.3.3 1.9-4.8 4.7-4.8s2.4 5.1 4.7 4.8c1.9-.3 1.9-3.4 2.4-5.8.4-2.1 1.3-3.3 1.7-5.3.5-2.9-.5-5.5-3-6.5-1.8-.7-3.8-.3-5.8 1Z" />
        <path className={styles.smile} d="M8.5 25.6c4.7 2.7 10.3 2.7 15 0" />
      </svg>
      <span className={styles.words}>
        <span className={styles.first}>{name.first}</span> <span className={styles.rest}>{name.rest}</span>
      </span>
    </PageLink>
  );
}
