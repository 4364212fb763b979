import { localTime } from "@/lib/format";
import styles from "./NextSteps.module.css";

export interface Step {
  title: string;
  text: string;
  /** Once the start time is known, `by` replaces `text`. Its {time} is this many hours after the start. */
  byHours?: number | undefined;
  by?: string | undefined;
}

interface Props {
  title: string;
  steps: readonly Step[];
  /** When the request was accepted, milliseconds since the epoch; null while pre-rendering. */
  from: number | null;
}

export function NextSteps({ title, steps, from }: Props) {
  const line = ({ text, byHours, by }: Step) =>
    from !== null && byHours && by ? by.replace("{time}", localTime(from + byHours * 3_600_000)) : text;
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
              <p>{line(step)}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
