import { Band, type BandWords } from "@/components/Band";
import type { Currency } from "@/lib/money";
import { dayInWords } from "@/lib/offers";
import type { PictureFile } from "@/lib/pictures";
import ui from "@/styles/ui.module.css";
import { TreatmentCard } from "./TreatmentCard";
import styles from "./Treatments.module.css";
import type { CardWords, Treatment } from "./treatment";

interface Props {
  words: CardWords & { heading: BandWords };
  cards: readonly Treatment[];
  /** Returns the picture with this name. */
  picture: (name: string) => PictureFile;
  /** Returns the address of a treatment's page. */
  pageOf: (id: string) => string;
  currency: Currency;
  /** The last day of the struck-through prices, as 2026-12-31. Null while they are samples. */
  wasUntil: string | null;
}

export function Treatments({ words, cards, picture, pageOf, currency, wasUntil }: Props) {
  return (
    <Band
      id="premium-treatments"
      words={words.heading}
      tone="paper"
      printed
      sample={wasUntil === null && cards.some(({ was }) => was !== undefined)}
    >
      <ul className={styles.cards}>
        {cards.map((card) => (
          <TreatmentCard
            key={card.id}
            treatment={card}
            picture={picture(card.image)}
            page={pageOf(card.id)}
            currency={currency}
            words={words}
          />
        ))}
      </ul>
      {wasUntil && <p className={ui.small}>{words.wasUntil.replace("{day}", dayInWords(wasUntil))}</p>}
    </Band>
  );
}
