import type { ReactNode } from "react";
import { HydrationBoundary } from "@/components/HydrationBoundary";
import { Picture } from "@/components/Picture";
import type { PictureFile } from "@/lib/pictures";
import { HeroText, type HeroWords } from "./HeroText";
import styles from "./LandingHero.module.css";

interface Props {
  words: HeroWords;
  source: string;
  picture: { file: PictureFile; alt: string };
  /** Their code is fetched after the page's: until then the pre-rendered form takes what is typed and pressed. */
  form: ReactNode;
  person: ReactNode;
  reassurances: ReactNode;
}

/** On phones it is a strip, and its paint stays calm: less than the window's width is enough. */
const SIZES = "(min-width: 1000px) 540px, 66vw";

/** The landing pages' hero contains the form: beside the text on wide screens, below it on phones. */
export function LandingHero({ words, source, picture, form, person, reassurances }: Props) {
  return (
    <section className={styles.hero}>
      <div className={styles.row}>
        <div className={styles.promise}>
          <Picture {...picture} sizes={SIZES} eager className={styles.picture} />
          <HeroText words={words} source={source} />
        </div>
        <HydrationBoundary>{form}</HydrationBoundary>
        <HydrationBoundary className={styles.person}>{person}</HydrationBoundary>
        <HydrationBoundary>{reassurances}</HydrationBoundary>
      </div>
    </section>
  );
}
