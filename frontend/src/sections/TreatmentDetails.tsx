import type { ReactElement } from "react";
import { Icon } from "@/components/Icon";
import { FormLink } from "@/components/SectionLink";
import styles from "./TreatmentDetails.module.css";
import type { Treatment, TreatmentWords } from "./treatment";

interface Props {
  details: Treatment["details"];
  words: TreatmentWords;
}

export function TreatmentDetails({ details, words }: Props) {
  const facts: readonly { icon: ReactElement; label: string; value: string }[] = [
    { icon: <Icon name="clock" className={styles.icon} />, label: words.duration, value: details.duration },
    { icon: <Icon name="plane" className={styles.icon} />, label: words.visits, value: details.visits },
    { icon: <Icon name="shield" className={styles.icon} />, label: words.warranty, value: details.warranty },
  ];
  return (
    <div className={styles.details}>
      <dl className={styles.facts}>
        {facts.map(({ icon, label, value }) => (
          <div key={label} className={styles.fact}>
            <dt>
              {icon}
              {label}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
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
      <FormLink className={styles.ask}>{words.ask}</FormLink>
    </div>
  );
}
