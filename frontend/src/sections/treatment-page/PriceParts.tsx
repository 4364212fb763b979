import { Band } from "@/components/Band";
import { Points } from "@/components/Points";
import { type Currency, money } from "@/lib/money";
import { dayInWords } from "@/lib/offers";
import { inWords, type Treatment, type TreatmentWords } from "@/sections/treatment";
import ui from "@/styles/ui.module.css";
import styles from "./PriceParts.module.css";

interface Props {
  words: { title: string; lead: string };
  /** Those of the treatment cards. */
  card: TreatmentWords;
  treatment: Treatment;
  currency: Currency;
  /** The last day of a struck-through price, as 2026-12-31. */
  wasUntil: string | null;
}

/** What the price buys, and what is paid for separately, side by side. */
export function PriceParts({ words, card, treatment, currency, wasUntil }: Props) {
  const { price, unit, was, details } = treatment;
  return (
    <Band id="in-the-price" words={words} tone="white" printed>
      <div className={styles.parts}>
        <div className={styles.part}>
          <h3 className={styles.title}>
            {card.includes}{" "}
            <span className={ui.plain}>
              {money(price, currency)}
              {unit && ` ${unit}`}
            </span>
          </h3>
          <Points lines={details.includes} />
        </div>
        <div className={styles.part}>
          <h3 className={styles.title}>{card.excludes}</h3>
          <Points
            lines={details.excludes.map((part) => inWords(part, currency))}
            sign={<span className={styles.ring} />}
          />
        </div>
      </div>
      {was !== undefined && wasUntil && (
        <p className={ui.small}>{card.wasUntil.replace("{day}", dayInWords(wasUntil))}</p>
      )}
    </Band>
  );
}
