import { ImplantDrawing } from "@/components/ImplantDrawing";
import styles from "./Hero.module.css";
import { HeroText, type HeroWords } from "./HeroText";

interface Props {
  words: HeroWords;
  source: string;
}

export function Hero({ words, source }: Props) {
  return (
    <section className={styles.hero}>
      <div className={styles.row}>
        <HeroText words={words} source={source} />
        <div className={styles.picture}>
          <ImplantDrawing />
        </div>
      </div>
    </section>
  );
}
