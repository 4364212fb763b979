import { Icon } from "@/components/Icon";
import { Points } from "@/components/Points";
import { type Currency, money } from "@/lib/money";
import ui from "@/styles/ui.module.css";
import styles from "./InThePrice.module.css";
import { COMPARISON } from "./PriceTable";
import { inWords, type Treatment } from "./treatment";

export interface InThePriceWords {
  title: string;
  lead: string;
  included: string;
  excluded: string;
  currency: Currency;
  cards: readonly Treatment[];
}

const TITLE = `${COMPARISON}-title`;

/** Each treatment's price, which opens to what is included and what is not. The first one is open. */
export function InThePrice({ words }: { words: InThePriceWords }) {
  const { currency } = words;
  return (
    <section id={COMPARISON} tabIndex={-1} className={styles.block} aria-labelledby={TITLE}>
      <h3 id={TITLE}>{words.title}</h3>
      <p className={ui.muted}>{words.lead}</p>
      <div className={styles.list}>
        {words.cards.map(({ id, title, unit, price, details }, place) => (
          <details key={id} className={styles.treatment} open={place === 0}>
            <summary className={styles.face}>
              <span className={styles.title}>{title}</span>
              <span>
                <strong className={styles.price}>{money(price, currency)}</strong>
                {unit && <span className={ui.small}> {unit}</span>}
              </span>
              <Icon name="chevron" className={styles.chevron} />
            </summary>
            <div className={styles.parts}>
              <Part title={words.included} lines={details.includes} />
              <Part title={words.excluded} lines={details.excludes.map((line) => inWords(line, currency))} />
            </div>
          </details>
        ))}
      </div>
    </section>
  );
}

function Part({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <div>
      <p className={styles.part}>{title}</p>
      <Points lines={lines} className={styles.lines} sign={null} />
    </div>
  );
}
