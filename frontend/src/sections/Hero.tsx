import { ImplantDrawing } from "@/components/ImplantDrawing";
import styles from "./Hero.module.css";
import { HeroText, type HeroWords } from "./HeroText";

interface Props {
  words: HeroWords;
  source: string;
  /** A second picture, small, on the corner of the large one. */
  inset: { picture: string; alt: string; caption: string };
}

export function Hero({ words, source, inset }: Props) {
  return (
    <section className={styles.hero}>
      <div className={styles.row}>
        <HeroText words={words} source={source} />
        <div className={styles.picture}>
          <ImplantDrawing />
          <figure className={styles.inset}>
            <img src={inset.picture} alt={inset.alt} width={480} height={360} />
            <figcaption>{inset.caption}</figcaption>
          </figure>
        </div>
      </div>
    </section>
  );
}
