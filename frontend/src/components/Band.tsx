import type { ReactNode } from "react";
import ui from "@/styles/ui.module.css";
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
  tone: "paper" | "white" | "mint" | "ink";
  /** On wide screens the heading stands above the content, or beside it. */
  layout?: "stacked" | "columns";
  /** Whether something in it is a sample: one tag at the heading stands for all. */
  sample?: boolean;
  /** Whether it is on the printed page. */
  printed?: boolean;
  /** Goes with the heading. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A section of a page: full width, one colour, a heading and its content. */
export function Band(props: Props) {
  const { id, words, tone, layout = "stacked", sample = false, printed = false, aside, children } = props;
  return (
    <section
      id={id}
      tabIndex={-1}
      className={styles.band}
      data-tone={tone}
      data-printed={printed ? "" : undefined}
      aria-labelledby={`${id}-title`}
    >
      <div className={styles.inner} data-layout={layout}>
        <div className={styles.head}>
          <div className={styles.words}>
            {words.overline && (
              <p className={ui.overline}>
                {words.overline} {sample && <SampleTag />}
              </p>
            )}
            <h2 id={`${id}-title`}>{words.title}</h2>
            {words.lead && <p className={styles.lead}>{words.lead}</p>}
            {sample && !words.overline && <SampleTag />}
          </div>
          {aside}
        </div>
        {children}
      </div>
    </section>
  );
}
