import { Link } from "react-router-dom";
import styles from "./Wordmark.module.css";

interface Props {
  /** The clinic's name, set in two lines: the first word or two large, the rest small. */
  name: { first: string; rest: string };
}

export function Wordmark({ name }: Props) {
  return (
    <Link to="/" className={styles.wordmark}>
      <svg className={styles.sign} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <path d="M16 7.400c-1.600-1-3-1.400-4.600-1.100C8.600 6.800 7 9.200 7.300 12.400c.2 2.300 1.300 3.700 1.700 6 .4 2.500.6 6.800 2.600 7.100 2.200.3 1.600-5.300 4.400-5.300s2.200 5.600 4.400 5.300c2-.3 2.200-4.600 2.600-7.100.4-2.300 1.500-3.700 1.700-6 .3-3.200-1.300-5.600-4.100-6.100-1.600-.3-3 .1-4.600 1.100Z" />
      </svg>
      <span className={styles.words}>
        <span className={styles.first}>{name.first}</span> <span className={styles.rest}>{name.rest}</span>
      </span>
    </Link>
  );
}
