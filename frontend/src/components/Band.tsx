import type { ReactNode } from "react";
import styles from "./Band.module.css";
import { SampleTag } from "./SampleTag";

export interface BandWords {
  overline?: string;
  title: string;
  lead?: string;
}

interface Props {
  /** The anchor that routes lead to. */
  id: string;
  words: BandWords;
  tone: "paper" | "white" | "mint";
  /** Whether something in it is a sample: one tag at the heading stands for all. */
  sample?: boolean;
  children: ReactNode;
}

/** A section of a page: full width, one colour, its heading above its content. */
export function Band({ id, words, tone, sample = false, children }: Props) {
  return (
    <section id={id} className={styles.band} data-tone={tone} aria-labelledby={`${id}-title`}>
      <div className={styles.inner}>
        <div className={styles.head}>
          {words.overline && <p className={styles.overline}>{words.overline}</p>}
          <h2 id={`${id}-title`} tabIndex={-1} data-section-title>
            {words.title}
          </h2>
          {words.lead && <p className={styles.lead}>{words.lead}</p>}
          {sample && <SampleTag />}
        </div>
        {children}
      </div>
    </section>
  );
}
