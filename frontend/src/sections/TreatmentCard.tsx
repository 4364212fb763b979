import { type ToggleEvent, useId } from "react";
import buttons from "@/components/button.module.css";
import { Icon } from "@/components/Icon";
import { PageLink } from "@/components/PageLink";
import { Picture } from "@/components/Picture";
import { Points } from "@/components/Points";
import { type Currency, saving } from "@/lib/money";
import type { PictureFile } from "@/lib/pictures";
import styles from "./TreatmentCard.module.css";
import { TreatmentDetails } from "./TreatmentDetails";
import { TreatmentPrice } from "./TreatmentPrice";
import type { CardWords, Treatment } from "./treatment";

interface Props {
  treatment: Treatment;
  /** Aspect ratio 4:3. */
  picture: PictureFile;
  /** The address of the treatment's own page. */
  page: string;
  currency: Currency;
  words: CardWords;
}

const SIZES = "(min-width: 1000px) 370px, (min-width: 768px) 46vw, 96px";
const SIDE_BY_SIDE = "(min-width: 768px)";

/** Where cards stand side by side, details lie over their whole row: one at a time. */
function closeOthers({ currentTarget: opened }: ToggleEvent<HTMLDetailsElement>): void {
  if (!opened.open || !window.matchMedia(SIDE_BY_SIDE).matches) {
    return;
  }
  const all = opened.closest("ul")?.querySelectorAll<HTMLDetailsElement>("details[open]") ?? [];
  for (const other of all) {
    other.open = other === opened;
  }
}

/** Its details open and close without any script. */
export function TreatmentCard({ treatment, picture, page, currency, words }: Props) {
  const id = useId();
  const { title, highlights } = treatment;
  const saved = saving(treatment.price, treatment.was);
  return (
    <li className={styles.card}>
      <div className={styles.picture}>
        <Picture file={picture} alt={treatment.alt} sizes={SIZES} />
        {saved && <p className={styles.badge}>{words.off.replace("{percent}", `${saved.percent}`)}</p>}
      </div>
      <h3 id={`${id}t`} className={styles.title}>
        <PageLink to={page}>{title}</PageLink>
      </h3>
      <TreatmentPrice treatment={treatment} currency={currency} words={words} />
      <Points lines={highlights} className={styles.highlights} />
      <details className={styles.details} onToggle={closeOthers}>
        <summary id={`${id}b`} className={styles.summary} aria-labelledby={`${id}b ${id}t`}>
          <span className={`${buttons.quiet} ${styles.toggle}`}>
            <span className={styles.open}>{words.open}</span>
            <span className={styles.close}>{words.close}</span>
            <Icon name="chevron" />
          </span>
        </summary>
        <TreatmentDetails treatment={treatment} page={page} currency={currency} words={words} />
      </details>
    </li>
  );
}
