import type { ReactElement } from "react";
import { Icon } from "@/components/Icon";
import { PageLink } from "@/components/PageLink";
import { FormLink } from "@/components/SectionLink";
import type { Currency } from "@/lib/money";
import styles from "./TreatmentDetails.module.css";
import { inWords, type Treatment, type TreatmentWords } from "./treatment";

interface Props {
  treatment: Treatment;
  /** The address of the treatment's own page. */
  page: string;
  currency: Currency;
  words: TreatmentWords;
}

export function TreatmentDetails({ treatment: { title, details }, page, currency, words }: Props) {
  return (
    <div className={styles.details}>
      <TreatmentFacts details={details} words={words} />
      <h4 className={styles.title}>{words.process}</h4>
      <ol className={styles.steps}>
        {details.process.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <h4 className={styles.title}>{words.benefits}</h4>
      <ul className={styles.points}>
        {details.benefits.map((benefit) => (
          <li key={benefit}>{benefit}</li>
        ))}
      </ul>
      <h4 className={styles.title}>{words.includes}</h4>
      <ul className={styles.points}>
        {details.includes.map((part) => (
          <li key={part}>{part}</li>
        ))}
      </ul>
      <h4 className={styles.title}>{words.excludes}</h4>
      <ul className={styles.points} data-apart="">
        {details.excludes.map((part) => (
          <li key={part.text}>{inWords(part, currency)}</li>
        ))}
      </ul>
      <PageLink to={page} className={styles.link} aria-label={`${words.more}: ${title}`}>
        {words.more}
      </PageLink>
      <FormLink className={styles.link}>{words.ask}</FormLink>
    </div>
  );
}

/** How long it takes, how many visits, and the warranty where one may be stated. */
export function TreatmentFacts({ details, words }: { details: Treatment["details"]; words: TreatmentWords }) {
  const facts: readonly { icon: ReactElement; label: string; value: string }[] = [
    { icon: <Icon name="clock" className={styles.icon} />, label: words.duration, value: details.duration },
    { icon: <Icon name="plane" className={styles.icon} />, label: words.visits, value: details.visits },
    { icon: <Icon name="shield" className={styles.icon} />, label: words.warranty, value: details.warranty },
  ];
  return (
    <dl className={styles.facts}>
      {facts
        .filter(({ value }) => value !== "")
        .map(({ icon, label, value }) => (
          <div key={label} className={styles.fact}>
            <dt>
              {icon}
              {label}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
