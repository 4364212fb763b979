import { SampleTag } from "@/components/SampleTag";
import { type Currency, money, saving } from "@/lib/money";
import ui from "@/styles/ui.module.css";
import styles from "./TreatmentPrice.module.css";
import { inWords, type Treatment, type TreatmentWords } from "./treatment";

interface Props {
  treatment: Treatment;
  currency: Currency;
  words: TreatmentWords;
  /** Marks the former price as a sample, where no tag stands for a whole group of prices. */
  sample?: boolean;
}

/** Price and unit on one line; below them the former price and the saving, and what the price buys. */
export function TreatmentPrice({ treatment, currency, words, sample = false }: Props) {
  const { price, was, unit, buys, whyLess } = treatment;
  const saved = saving(price, was);
  return (
    <div className={styles.price}>
      <p className={styles.now}>
        <span className={ui.hidden}>{words.price} </span>
        <strong>{money(price, currency)}</strong>
        {unit && <span className={ui.muted}> {unit}</span>}
      </p>
      {saved && (
        <p className={styles.before}>
          <span className={ui.hidden}>{words.was} </span>
          <s>{money(price + saved.amount, currency)}</s>{" "}
          <span className={styles.save}>{words.save.replace("{amount}", money(saved.amount, currency))}</span>
          {sample && <SampleTag />}
        </p>
      )}
      <p className={styles.buys}>{inWords(buys, currency)}</p>
      {whyLess && <p>{whyLess}</p>}
    </div>
  );
}
