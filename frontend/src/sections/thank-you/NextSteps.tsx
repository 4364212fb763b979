import type { ReactNode } from "react";
import ui from "@/styles/ui.module.css";
import page from "./Confirmation.module.css";
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
      <h2 className={page.heading}>{title}</h2>
      <ol>
        {steps.map((step, position) => (
          <li key={step.title} className={styles.step}>
            <span className={styles.number} aria-hidden="true">
              {position + 1}
            </span>
            <div>
              <h3 className={styles.title}>{step.title}</h3>
              <p className={ui.muted}>{step.text}</p>
              {step.action}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
