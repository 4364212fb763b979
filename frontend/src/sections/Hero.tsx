import { Picture } from "@/components/Picture";
import type { PictureFile } from "@/lib/pictures";
import styles from "./Hero.module.css";
import { HeroText, type HeroWords } from "./HeroText";

interface Props {
  words: HeroWords;
  source: string;
  picture: { file: PictureFile; alt: string };
}

/** The box is narrower than the picture, whose empty side is cropped. */
const SIZES = "(min-width: 1200px) 1020px, (min-width: 768px) 880px, 100vw";

export function Hero({ words, source, picture }: Props) {
  return (
    <section className={styles.hero}>
      <div className={styles.row}>
        <HeroText words={words} source={source} />
        <Picture {...picture} sizes={SIZES} eager className={styles.picture} />
      </div>
    </section>
  );
}
