import type { ReactElement } from "react";
import { Tip } from "@/components/Tip";
import styles from "./BrandList.module.css";

export type Brand = Content<"brands.yaml">["brands"][number];

/** Neutral signs drawn for this project on a 32-unit grid; they are no manufacturer's logo. */
const SIGNS: readonly ReactElement[] = [
  <g key="0">
    <path className={styles.solid} d="M16 2.5 27.7 9.2v13.6L16 29.5 4.3 22.8V9.2Z" />
    <path className={styles.cut} d="M12 9.5h8l-1.2 12c-.2 1.7-5.4 1.7-5.6 0ZM10.8 13.2h10.4M11.2 17.2h9.6" />
  </g>,
  <g key="1">
    <circle className={styles.solid} cx="16" cy="16" r="13.500" />
    <path className={styles.cut} d="m16 8.5 6.5 3.75v7.5L16 23.5l-6.5-3.75v-7.5ZM16 16v.01" />
  </g>,
  <g key="2">
    <path className={styles.line} d="M4 24.5C4 12 9.5 6 16 6s12 6 12 18.5" />
    <path className={styles.second} d="M10 24.5c0-7.5 2.5-11 6-11s6 3.5 6 11" />
  </g>,
  <g key="3">
    <path className={styles.solid} d="M15 2.5a13.5 13.5 0 0 0 0 27Z" />
    <path className={styles.accent} d="M17.5 2.6a13.5 13.5 0 0 1 0 26.8Z" />
  </g>,
  <g key="4">
    <path className={styles.solid} d="m16 3 14 25h-8.5L16 18l-5.5 10H2Z" />
    <circle className={styles.accent} cx="16" cy="25.300" r="2.700" />
  </g>,
  <g key="5">
    <path className={styles.line} d="M3 11c4.3-5.5 8.7-5.5 13 0s8.7 5.5 13 0" />
    <path className={styles.second} d="M3 21.5c4.3-5.5 8.7-5.5 13 0s8.7 5.5 13 0" />
  </g>,
];
const FACES = [styles.wide, styles.serif, styles.light, styles.heavy, styles.italic, styles.spaced];

/** `place` selects the sign and the lettering. */
function BrandMark({ brand, place }: { brand: Brand; place: number }) {
  return (
    <span className={styles.mark}>
      <svg className={styles.sign} viewBox="0 0 32 32" aria-hidden="true">
        {SIGNS[place % SIGNS.length]}
      </svg>
      <span className={FACES[place % FACES.length]}>{brand.name}</span>
    </span>
  );
}

interface Props {
  label: string;
  /** The tooltip of a brand that is a sample. */
  note: string;
  brands: readonly Brand[];
}

export function BrandList({ label, note, brands }: Props) {
  return (
    <ul className={styles.list} aria-label={label}>
      {brands.map((brand, place) => (
        <li key={brand.id} className={styles.item}>
          {brand.sample ? (
            <Tip text={note} className={styles.tip}>
              <BrandMark brand={brand} place={place} />
            </Tip>
          ) : (
            <BrandMark brand={brand} place={place} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** The second copy of the strip, hidden from assistive technology. */
export function BrandCopy({ brands }: Pick<Props, "brands">) {
  return (
    <div className={styles.list} data-copy="" aria-hidden="true">
      {brands.map((brand, place) => (
        <span key={brand.id} className={styles.item}>
          <BrandMark brand={brand} place={place} />
        </span>
      ))}
    </div>
  );
}
