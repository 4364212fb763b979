import { SampleTag } from "@/components/SampleTag";
import { type Currency, money, saving } from "@/lib/money";
import styles from "./PriceTable.module.css";

export interface PriceTableWords {
  title: string;
  columns: { treatment: string; elsewhere: string; here: string; saving: string };
  currency: Currency;
  rows: readonly {
    id: string;
    title: string;
    unit: string | null;
    price: number;
    elsewhere?: number | undefined;
  }[];
  source: string;
  sample: boolean;
}

interface Props {
  words: PriceTableWords;
}

const TITLE = "price-comparison-title";

/** Prices side by side. On narrow screens the table scrolls inside its own focusable region. */
export function PriceTable({ words }: Props) {
  const { columns, currency } = words;
  return (
    <div id="price-comparison" className={styles.comparison}>
      <h3 id={TITLE} className={styles.title} tabIndex={-1} data-section-title>
        {words.title} {words.sample && <SampleTag />}
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable without a mouse. */}
      <section className={styles.scroller} aria-labelledby={TITLE} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{columns.treatment}</th>
              <th scope="col">{columns.elsewhere}</th>
              <th scope="col">{columns.here}</th>
              <th scope="col">{columns.saving}</th>
            </tr>
          </thead>
          <tbody>
            {words.rows.map(({ id, title, unit, price, elsewhere }) => {
              const saved = saving(price, elsewhere);
              return (
                <tr key={id}>
                  <th scope="row">
                    {title}
                    {unit && <span className={styles.unit}> {unit}</span>}
                  </th>
                  <td>{elsewhere === undefined ? "–" : money(elsewhere, currency)}</td>
                  <td className={styles.here}>{money(price, currency)}</td>
                  <td>{saved ? `${saved.percent}%` : "–"}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      <p className={styles.source}>{words.source}</p>
    </div>
  );
}
