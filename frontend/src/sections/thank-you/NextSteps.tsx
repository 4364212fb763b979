import type { ReactNode } from "react";
import styles from "./NextSteps.module.css";

export interface Step {
  title: string;
  text: string;
  /** What the visitor can do in this step. */
  action?: ReactNode;
}

interface Props {
  title: string;
  steps: readonly Step[];
}

export function NextSteps({ title, steps }: Props) {
  return (
    <section className={styles.next}>
      <h2 className={styles.heading}>{title}</h2>
      <ol className={styles.steps}>
        {steps.map((step, position) => (
          <li key={step.title} className={styles.step}>
            <span className={styles.number} aria-hidden="true">
              {position + 1}
            </span>
            <div>
              <h3 className={styles.title}>{step.title}</h3>
              <p>{step.text}</p>
              {step.action}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
