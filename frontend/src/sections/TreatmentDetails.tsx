import type { ReactElement, ReactNode } from "react";
import { Icon } from "@/components/Icon";
import { PageLink } from "@/components/PageLink";
import { Points } from "@/components/Points";
import { FORM_SECTION } from "@/components/places";
import type { Currency } from "@/lib/money";
import styles from "./TreatmentDetails.module.css";
import { type CardWords, inWords, type Treatment, type TreatmentWords } from "./treatment";

interface Props {
  treatment: Treatment;
  /** The address of the treatment's own page. */
  page: string;
  currency: Currency;
  words: CardWords;
}

export function TreatmentDetails({ treatment: { title, details }, page, currency, words }: Props) {
  return (
    <div className={styles.details}>
      <TreatmentFacts details={details} words={words} />
      <Part title={words.process}>
        <ol className={styles.steps}>
          {details.process.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Part>
      <Part title={words.benefits}>
        <Points lines={details.benefits} className={styles.points} sign={null} />
      </Part>
      <Part title={words.includes}>
        <Points lines={details.includes} className={styles.points} sign={null} />
      </Part>
      <Part title={words.excludes}>
        <Points lines={details.excludes.map((part) => inWords(part, currency))} className={styles.apart} sign={null} />
      </Part>
      <p className={styles.links}>
        <PageLink to={page} aria-label={`${words.more}: ${title}`}>
          {words.more}
        </PageLink>
        <a href={`#${FORM_SECTION}`}>{words.ask}</a>
      </p>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h4 className={styles.title}>{title}</h4>
      {children}
    </div>
  );
}

/** How long it takes, how many visits, and the warranty where one may be stated. */
export function TreatmentFacts({ details, words }: { details: Treatment["details"]; words: TreatmentWords }) {
  const facts: readonly { icon: ReactElement; label: string; value: string }[] = [
    { icon: <Icon name="clock" />, label: words.duration, value: details.duration },
    { icon: <Icon name="plane" />, label: words.visits, value: details.visits },
    { icon: <Icon name="shield" />, label: words.warranty, value: details.warranty },
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
