import { useState } from "react";
import { Band, type BandWords } from "@/components/Band";
import { Icon } from "@/components/Icon";
import { SampleTag } from "@/components/SampleTag";
import { TipGroup } from "@/components/Tip";
import { BrandList } from "./BrandList";
import type { Brand } from "./BrandMark";
import styles from "./ImplantsMarquee.module.css";

export interface ImplantsWords extends BandWords {
  list: string;
  pause: string;
  play: string;
  /** More about a brand that is still a sample. */
  note: string;
  footer: string;
}

interface Props {
  id: string;
  words: ImplantsWords;
  brands: readonly Brand[];
}

/** An endless strip: it rests under the pointer, while something in it has the focus, and on its button. */
export function ImplantsMarquee({ id, words, brands }: Props) {
  const [paused, setPaused] = useState(false);
  return (
    <Band id={id} words={words} tone="mint">
      <div className={styles.marquee}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears the focus leave what is inside; nobody presses it. */}
        <div
          className={styles.window}
          data-paused={paused ? "" : undefined}
          // A focused brand was scrolled into view; the strip takes its place again afterwards.
          onBlur={({ currentTarget }) => currentTarget.scrollTo?.({ left: 0 })}
        >
          <div className={styles.strip}>
            <TipGroup>
              <BrandList label={words.list} note={words.note} brands={brands} />
            </TipGroup>
            <BrandList copy brands={brands} />
          </div>
        </div>
        <div className={styles.foot}>
          <p className={styles.footer}>
            {words.footer} {brands.some(({ sample }) => sample) && <SampleTag />}
          </p>
          <button
            type="button"
            className={styles.pause}
            aria-label={paused ? words.play : words.pause}
            onClick={() => setPaused(!paused)}
          >
            <Icon name={paused ? "play" : "pause"} />
          </button>
        </div>
      </div>
    </Band>
  );
}
