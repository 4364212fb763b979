import { Band } from "@/components/Band";
import { Icon } from "@/components/Icon";
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
          <ul className={ui.points}>
            {details.includes.map((part) => (
              <li key={part}>
                <Icon name="check" />
                {part}
              </li>
            ))}
          </ul>
        </div>
        <div className={styles.part}>
          <h3 className={styles.title}>{card.excludes}</h3>
          <ul className={ui.points}>
            {details.excludes.map((part) => (
              <li key={part.text}>
                <span className={styles.ring} />
                {inWords(part, currency)}
              </li>
            ))}
          </ul>
        </div>
      </div>
      {was !== undefined && wasUntil && (
        <p className={ui.small}>{card.wasUntil.replace("{day}", dayInWords(wasUntil))}</p>
      )}
    </Band>
  );
}
