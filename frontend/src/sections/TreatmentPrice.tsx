import hidden from "@/components/VisuallyHidden.module.css";
import { type Currency, money, saving } from "@/lib/money";
import styles from "./TreatmentPrice.module.css";
import { inWords, type Treatment, type TreatmentWords } from "./treatment";

interface Props {
  treatment: Treatment;
  currency: Currency;
  words: TreatmentWords;
}

/** Price and unit on one line; below them the former price and the saving, and what the price buys. */
export function TreatmentPrice({ treatment: { price, was, unit, buys }, currency, words }: Props) {
  const saved = saving(price, was);
  return (
    <div className={styles.price}>
      <p className={styles.now}>
        <span className={hidden.hidden}>{words.price} </span>
        <strong>{money(price, currency)}</strong>
        {unit && <span className={styles.unit}> {unit}</span>}
      </p>
      <p className={styles.before}>
        {saved && (
          <>
            <span className={hidden.hidden}>{words.was} </span>
            <s>{money(price + saved.amount, currency)}</s>{" "}
            <span className={styles.save}>
              {words.save.replace("{amount}", money(saved.amount, currency))}
            </span>
          </>
        )}
      </p>
      <p className={styles.buys}>{inWords(buys, currency)}</p>
    </div>
  );
}
