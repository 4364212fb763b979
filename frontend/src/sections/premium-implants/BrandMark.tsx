import type { ReactElement } from "react";
import styles from "./BrandMark.module.css";

export interface Brand {
  id: string;
  name: string;
  sample: boolean;
}

/** Neutral signs drawn for this project on a 32-unit grid; they belong to no maker. */
const SIGNS: readonly ReactElement[] = [
  <path key="0" d="M16 3v26M10 8h12M11 14h10M12 20h8M13.500 26h5" />,
  <path key="1" d="M16 3 28 10v12l-12 7-12-7V10ZM16 11v10" />,
  <path key="2" d="M4 22C4 10 10 5 16 5s12 5 12 17M10 22c0-7 2.500-10 6-10s6 3 6 10" />,
  <path key="3" d="M16 4a12 12 0 1 0 0 24M16 10a6 6 0 1 0 0 12M22 6v20" />,
  <path key="4" d="M6 27 16 5l10 22M10.500 18h11" />,
  <path key="5" d="M5 16c4-9 8-9 11 0s7 9 11 0M5 24h22" />,
];
const FACES = [styles.wide, styles.serif, styles.light, styles.heavy, styles.italic, styles.spaced];

/** `place` picks the sign and the lettering. */
export function BrandMark({ brand, place }: { brand: Brand; place: number }) {
  return (
    <span className={styles.mark}>
      <svg className={styles.sign} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        {SIGNS[place % SIGNS.length]}
      </svg>
      <span className={FACES[place % FACES.length]}>{brand.name}</span>
    </span>
  );
}
