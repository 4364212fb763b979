import { SampleTag } from "@/components/SampleTag";
import { type Currency, money, saving } from "@/lib/money";
import ui from "@/styles/ui.module.css";
import styles from "./PriceTable.module.css";

export interface PriceTableWords extends Readonly<Content<"comparison.yaml">["words"]> {
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

/** The anchor that routes lead to, whatever stands there. */
export const COMPARISON = "price-comparison";
const TITLE = `${COMPARISON}-title`;

/** Prices side by side. On narrow screens the table scrolls inside its own focusable region. */
export function PriceTable({ words }: { words: PriceTableWords }) {
  const { currency } = words;
  return (
    <div id={COMPARISON} tabIndex={-1} className={styles.comparison}>
      <div className={ui.cluster}>
        <h3 id={TITLE}>{words.title}</h3>
        {words.sample && <SampleTag />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable without a mouse. */}
      <section className={styles.scroller} aria-labelledby={TITLE} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{words.treatment}</th>
              <th scope="col">{words.elsewhere}</th>
              <th scope="col">{words.here}</th>
              <th scope="col">{words.saving}</th>
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
      <p className={ui.small}>{words.source}</p>
    </div>
  );
}
