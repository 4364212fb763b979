import { Tip } from "@/components/Tip";
import styles from "./BrandList.module.css";
import { type Brand, BrandMark } from "./BrandMark";

type Props =
  | { copy?: false; label: string; note: string; brands: readonly Brand[] }
  /** The second copy of the strip, hidden from assistive technology. */
  | { copy: true; brands: readonly Brand[] };

export function BrandList(props: Props) {
  if (props.copy) {
    return (
      <div className={styles.list} data-copy="" aria-hidden="true">
        {props.brands.map((brand, place) => (
          <span key={brand.id} className={styles.item}>
            <BrandMark brand={brand} place={place} />
          </span>
        ))}
      </div>
    );
  }
  const { label, note, brands } = props;
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
