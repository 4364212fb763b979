import type { ReactNode } from "react";
import { HydrateLater } from "@/components/HydrateLater";
import { HeroText, type HeroWords } from "./HeroText";
import styles from "./LandingHero.module.css";

interface Props {
  words: HeroWords;
  source: string;
  /** Their code is fetched after the page's: until then the pre-rendered form takes what is typed and pressed. */
  form: ReactNode;
  reassurances: ReactNode;
}

/** The landing pages' hero contains the form: beside the text on wide screens, below it on phones. */
export function LandingHero({ words, source, form, reassurances }: Props) {
  return (
    <section className={styles.hero}>
      <div className={styles.row}>
        <HeroText words={words} source={source} />
        <HydrateLater>{form}</HydrateLater>
        <HydrateLater>{reassurances}</HydrateLater>
      </div>
    </section>
  );
}
