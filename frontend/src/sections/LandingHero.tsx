import { LeadFormCard } from "@/features/lead-form/LeadForm";
import type { LeadFormWords } from "@/features/lead-form/words";
import { HeroText, type HeroWords } from "./HeroText";
import styles from "./LandingHero.module.css";
import { type ReassuranceLine, Reassurances } from "./Reassurances";

interface Props {
  words: HeroWords;
  form: LeadFormWords;
  reassurances: readonly ReassuranceLine[];
  source: string;
}

/** The landing pages' hero contains the form: beside the text on wide screens, below it on phones. */
export function LandingHero({ words, form, reassurances, source }: Props) {
  return (
    <section className={styles.hero}>
      <div className={styles.row}>
        <HeroText words={words} source={source} />
        <LeadFormCard words={form} source={source} />
        <Reassurances lines={reassurances} source={source} />
      </div>
    </section>
  );
}
