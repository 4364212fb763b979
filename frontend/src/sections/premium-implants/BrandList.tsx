import type { ReactElement } from "react";
import { Tip } from "@/components/Tip";
import styles from "./BrandList.module.css";

export type Brand = Content<"brands.yaml">["brands"][number];

/** Neutral signs drawn for this project on a 32-unit grid; they are no manufacturer's logo. */
const SIGNS: readonly ReactElement[] = [
  <g key="0">
    <path className={styles.solid} d="M16 2.500 27.700 9.200v13.600L16 29.500 4.300 22.800V9.200Z" />
    <path
      className={styles.cut}
      d="M12 9.500h8l-1.200 12c-.2 1.700-5.400 1.700-5.600 0ZM10.800 13.200h10.400M11.200 17.200h9.600"
    />
  </g>,
  <g key="1">
    <circle className={styles.solid} cx="16" cy="16" r="13.500" />
    <path className={styles.cut} d="m16 8.500 6.500 3.750v7.500L16 23.500l-6.500-3.750v-7.500ZM16 16v.010" />
  </g>,
  <g key="2">
    <path className={styles.line} d="M4 24.500C4 12 9.500 6 16 6s12 6 12 18.500" />
    <path className={styles.second} d="M10 24.500c0-7.500 2.500-11 6-11s6 3.500 6 11" />
  </g>,
  <g key="3">
    <path className={styles.solid} d="M15 2.500a13.500 13.500 0 0 0 0 27Z" />
    <path className={styles.accent} d="M17.500 2.600a13.500 13.500 0 0 1 0 26.800Z" />
  </g>,
  <g key="4">
    <path className={styles.solid} d="m16 3 14 25h-8.500L16 18l-5.500 10H2Z" />
    <circle className={styles.accent} cx="16" cy="25.300" r="2.700" />
  </g>,
  <g key="5">
    <path className={styles.line} d="M3 11c4.300-5.500 8.700-5.500 13 0s8.700 5.500 13 0" />
    <path className={styles.second} d="M3 21.500c4.300-5.500 8.700-5.500 13 0s8.700 5.500 13 0" />
  </g>,
];
const FACES = [styles.wide, styles.serif, styles.light, styles.heavy, styles.italic, styles.spaced];

/** `place` selects the sign and the lettering. */
function BrandMark({ brand, place }: { brand: Brand; place: number }) {
  return (
    <span className={styles.mark}>
      <svg className={styles.sign} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        {SIGNS[place % SIGNS.length]}
      </svg>
      <span className={FACES[place % FACES.length]}>{brand.name}</span>
    </span>
  );
}

interface Props {
  label: string;
  /** Said of a brand that is a sample. */
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
