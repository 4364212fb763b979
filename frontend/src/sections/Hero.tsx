import { Picture, type PictureFile } from "@/components/Picture";
import styles from "./Hero.module.css";
import { HeroText, type HeroWords } from "./HeroText";

interface Props {
  words: HeroWords;
  source: string;
  picture: { file: PictureFile; alt: string; caption: string };
}

/** The box is less wide for its height than the picture, which loses its quiet side. */
const SIZES = "(min-width: 1200px) 1020px, (min-width: 768px) 880px, 100vw";

export function Hero({ words, source, picture }: Props) {
  return (
    <section className={styles.hero}>
      <div className={styles.row}>
        <HeroText words={words} source={source} />
        <figure className={styles.figure}>
          <Picture file={picture.file} alt={picture.alt} sizes={SIZES} eager className={styles.picture} />
          <figcaption className={styles.caption}>{picture.caption}</figcaption>
        </figure>
      </div>
    </section>
  );
}
