import { useId, useState } from "react";
import buttons from "@/components/button.module.css";
import { Icon } from "@/components/Icon";
import { PageLink } from "@/components/PageLink";
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
  /** The address of the treatment's own page. */
  page: string;
  currency: Currency;
  words: TreatmentWords;
}

const SIZES = "(min-width: 1080px) 370px, (min-width: 720px) 46vw, 96px";

export function TreatmentCard({ treatment, picture, page, currency, words }: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { title, highlights } = treatment;
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
        <PageLink to={page}>{title}</PageLink>
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
          <span className={styles.word}>{open ? words.close : words.open}</span>
          <Icon name="chevron" className={styles.chevron} />
        </button>
      </div>
      <div id={`${id}d`} className={styles.details} hidden={!open}>
        <TreatmentDetails treatment={treatment} page={page} currency={currency} words={words} />
      </div>
    </li>
  );
}
