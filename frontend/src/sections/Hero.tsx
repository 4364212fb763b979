import { Picture } from "@/components/Picture";
import type { PictureFile } from "@/lib/pictures";
import styles from "./Hero.module.css";
import { HeroText, type HeroWords } from "./HeroText";

interface Props {
  words: HeroWords;
  source: string;
  /** A large picture and, on its corner, a small one with a caption. `large` and `small` are their alternative texts. */
  pictures: { largeFile: PictureFile; large: string; smallFile: PictureFile; small: string; caption: string };
}

/** The box is narrower than the picture, whose empty side is cropped. */
const SIZES = "(min-width: 1200px) 1020px, (min-width: 768px) 880px, 100vw";

export function Hero({ words, source, pictures }: Props) {
  return (
    <section className={styles.hero}>
      <div className={styles.row}>
        <HeroText words={words} source={source} />
        <div className={styles.pictures}>
          <Picture file={pictures.largeFile} alt={pictures.large} sizes={SIZES} eager className={styles.large} />
          <figure className={styles.inset}>
            <Picture file={pictures.smallFile} alt={pictures.small} sizes="184px" />
            <figcaption>{pictures.caption}</figcaption>
          </figure>
        </div>
      </div>
    </section>
  );
}
