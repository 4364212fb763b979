import { useId, useState } from "react";
import buttons from "@/components/button.module.css";
import { Icon } from "@/components/Icon";
import { Picture } from "@/components/Picture";
import { type Currency, saving } from "@/lib/money";
import type { PictureFile } from "@/lib/pictures";
import styles from "./TreatmentCard.module.css";
import { TreatmentDetails } from "./TreatmentDetails";
import { TreatmentPrice } from "./TreatmentPrice";
import type { Treatment, TreatmentWords } from "./treatment";

interface Props {
  treatment: Treatment;
  /** Aspect ratio 4:3. */
  picture: PictureFile;
  currency: Currency;
  words: TreatmentWords;
}

const SIZES = "(min-width: 1080px) 370px, (min-width: 720px) 46vw, 94vw";

export function TreatmentCard({ treatment, picture, currency, words }: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { title, highlights, details } = treatment;
  const saved = saving(treatment.price, treatment.was);
  return (
    <li className={styles.card} data-open={open ? "" : undefined}>
      <div className={styles.picture}>
        <Picture file={picture} alt={treatment.alt} sizes={SIZES} />
        <p className={styles.badge}>
          {saved ? words.off.replace("{percent}", `${saved.percent}`) : words.today}
        </p>
      </div>
      <h3 id={`${id}t`} className={styles.title}>
        {title}
      </h3>
      <TreatmentPrice treatment={treatment} currency={currency} words={words} />
      <ul className={styles.highlights}>
        {highlights.map((highlight) => (
          <li key={highlight}>
            <Icon name="check" />
            {highlight}
          </li>
        ))}
      </ul>
      <div className={styles.foot}>
        <button
          type="button"
          id={`${id}b`}
          className={`${buttons.quiet} ${styles.toggle}`}
          aria-expanded={open}
          aria-controls={`${id}d`}
          aria-labelledby={`${id}b ${id}t`}
          onClick={() => setOpen(!open)}
        >
          {open ? words.close : words.open}
          <Icon name="chevron" className={styles.chevron} />
        </button>
      </div>
      <div id={`${id}d`} className={styles.details} hidden={!open}>
        <TreatmentDetails details={details} currency={currency} words={words} />
      </div>
    </li>
  );
}
