import { ChatLink } from "@/components/ContactLinks";
import { FORM_SECTION } from "@/components/SectionLink";
import { LeadForm } from "./LeadForm";
import styles from "./LeadFormCard.module.css";
import type { LeadFormWords } from "./words";

interface Props {
  words: LeadFormWords;
  source: string;
}

/** The form on its mint card, with the anchor that every call to action leads to. */
export function LeadFormCard({ words, source }: Props) {
  return (
    <section id={FORM_SECTION} className={styles.card} aria-labelledby={`${FORM_SECTION}-title`}>
      <div className={styles.head}>
        <h2 id={`${FORM_SECTION}-title`} tabIndex={-1} data-section-title>
          {words.title}
        </h2>
        <p>{words.subtitle}</p>
      </div>
      <LeadForm words={words} />
      <noscript>
        <p className={styles.without}>
          <ChatLink source={source}>{words.withoutScript}</ChatLink>
        </p>
      </noscript>
    </section>
  );
}
