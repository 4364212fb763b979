import { PageLink } from "@/components/PageLink";
import styles from "./Wordmark.module.css";

interface Props {
  /** The clinic's name, set in two lines: the first word or two large, the rest small. */
  name: { first: string; rest: string };
}

export function Wordmark({ name }: Props) {
  return (
    <PageLink to="/" className={styles.wordmark}>
      <svg className={styles.sign} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <path d="M16 6.300c-2-1.300-4-1.700-5.800-1C7.700 6.300 6.700 8.900 7.200 11.800c.4 2 1.300 3.200 1.700 5.300.5 2.400.5 5.500 2.400 5.800 2.300.3 1.900-4.800 4.700-4.800s2.400 5.100 4.700 4.800c1.900-.3 1.900-3.400 2.400-5.800.4-2.100 1.300-3.300 1.700-5.300.5-2.900-.5-5.500-3-6.500-1.800-.7-3.800-.3-5.800 1Z" />
        <path className={styles.smile} d="M8.500 25.600c4.700 2.700 10.300 2.700 15 0" />
      </svg>
      <span className={styles.words}>
        <span className={styles.first}>{name.first}</span> <span className={styles.rest}>{name.rest}</span>
      </span>
    </PageLink>
  );
}
