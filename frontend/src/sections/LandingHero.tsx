import { lazy } from "react";
import { HydrateLater } from "@/components/HydrateLater";
import type { LeadFormWords } from "@/features/lead-form/words";
import { HeroText, type HeroWords } from "./HeroText";
import styles from "./LandingHero.module.css";
import { type ReassuranceLine, Reassurances } from "./Reassurances";

/** The form's code is fetched after the page's: until then the pre-rendered form takes what is typed and pressed. */
const LeadFormCard = lazy(() =>
  import("@/features/lead-form/LeadForm").then(({ LeadFormCard }) => ({ default: LeadFormCard })),
);

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
        <HydrateLater>
          <LeadFormCard words={form} source={source} />
        </HydrateLater>
        <Reassurances lines={reassurances} source={source} />
      </div>
    </section>
  );
}
