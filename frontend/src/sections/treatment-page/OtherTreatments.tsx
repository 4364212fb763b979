import { Band } from "@/components/Band";
import { PageLink } from "@/components/PageLink";
import { Picture } from "@/components/Picture";
import { type Currency, money } from "@/lib/money";
import type { PictureFile } from "@/lib/pictures";
import { inWords, type Treatment } from "@/sections/treatment";
import ui from "@/styles/ui.module.css";
import styles from "./OtherTreatments.module.css";

interface Props {
  words: { title: string; lead: string; all: string };
  treatments: readonly Treatment[];
  currency: Currency;
  /** Returns the picture with this name. */
  picture: (name: string) => PictureFile;
  /** Returns the address of a treatment's page. */
  pageOf: (id: string) => string;
  /** The address of all treatments with their prices. */
  all: string;
}

/** Treatments for the same trouble, each with its price and its page. */
export function OtherTreatments({ words, treatments, currency, picture, pageOf, all }: Props) {
  return (
    <Band id="other-treatments" words={words} tone="white">
      <ul className={styles.list}>
        {treatments.map(({ id, image, title, price, unit, buys }) => (
          <li key={id} className={styles.treatment}>
            <Picture file={picture(image)} alt="" sizes="144px" className={styles.picture} />
            <div>
              <h3>
                <PageLink to={pageOf(id)} className={styles.link}>
                  {title}
                </PageLink>
              </h3>
              <p>
                <strong>{money(price, currency)}</strong>
                {unit && ` ${unit}`}
              </p>
              <p className={ui.small}>{inWords(buys, currency)}</p>
            </div>
          </li>
        ))}
      </ul>
      <p>
        <PageLink to={all} className={ui.alone}>
          {words.all}
        </PageLink>
      </p>
    </Band>
  );
}
