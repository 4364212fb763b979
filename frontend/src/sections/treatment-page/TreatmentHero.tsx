import { Breadcrumb } from "@/components/Breadcrumb";
import { Icon } from "@/components/Icon";
import { Picture } from "@/components/Picture";
import type { Currency } from "@/lib/money";
import type { PictureFile } from "@/lib/pictures";
import { HeroActions } from "@/sections/HeroActions";
import text from "@/sections/HeroText.module.css";
import { TreatmentFacts } from "@/sections/TreatmentDetails";
import { TreatmentPrice } from "@/sections/TreatmentPrice";
import type { Treatment, TreatmentWords } from "@/sections/treatment";
import ui from "@/styles/ui.module.css";
import styles from "./TreatmentHero.module.css";

interface Props {
  words: {
    heading: string;
    lead: string;
    primary: string;
    chat: string;
    line: string;
    breadcrumb: string;
    /** Those of the treatment cards. */
    card: TreatmentWords;
  };
  treatment: Treatment;
  currency: Currency;
  /** Whether its former price is a sample. */
  sample: boolean;
  /** Aspect ratio 4:3. */
  picture: PictureFile;
  /** The pages above this one, from the home page on. */
  above: readonly { path: string; text: string }[];
  source: string;
}

const SIZES = "(min-width: 1200px) 560px, (min-width: 1000px) 46vw, 94vw";

/** What the treatment is, what it costs and how long it takes, on one screen. */
export function TreatmentHero(props: Props) {
  const { words, treatment, currency, sample, picture, above, source } = props;
  return (
    <section className={styles.hero} data-printed="">
      <div className={styles.row}>
        <div className={styles.text}>
          <Breadcrumb label={words.breadcrumb} above={above} current={treatment.title} />
          <h1 className={styles.heading}>{words.heading}</h1>
          <p className={ui.lead}>{words.lead}</p>
          <div className={styles.price}>
            <TreatmentPrice treatment={treatment} currency={currency} words={words.card} sample={sample} />
            <TreatmentFacts details={treatment.details} words={words.card} />
          </div>
          <HeroActions primary={words.primary} chat={words.chat} source={source} />
          <p className={text.line}>
            <Icon name="check" />
            {words.line}
          </p>
        </div>
        <Picture file={picture} alt={treatment.alt} sizes={SIZES} eager className={styles.picture} />
      </div>
    </section>
  );
}
