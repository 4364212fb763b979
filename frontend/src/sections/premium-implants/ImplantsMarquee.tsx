import { useState } from "react";
import { Band } from "@/components/Band";
import { Icon } from "@/components/Icon";
import { TipGroup } from "@/components/Tip";
import ui from "@/styles/ui.module.css";
import { type Brand, BrandCopy, BrandList } from "./BrandList";
import styles from "./ImplantsMarquee.module.css";

interface Props {
  id: string;
  words: Content<"brands.yaml">["words"];
  brands: readonly Brand[];
}

/** An endless strip. It pauses on hover, while it contains the focus, and when its button is pressed. */
export function ImplantsMarquee({ id, words, brands }: Props) {
  const [paused, setPaused] = useState(false);
  const hasNotes = brands.some(({ sample }) => sample);
  const list = <BrandList label={words.list} note={words.note} brands={brands} />;
  return (
    <Band id={id} words={words} tone="mint" sample={hasNotes}>
      <div className={ui.stack}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it only listens for focus leaving its content; it is not interactive. */}
        <div
          className={styles.window}
          data-paused={paused ? "" : undefined}
          // The browser scrolled a focused brand into view: reset the strip's scroll position.
          onBlur={({ currentTarget }) => currentTarget.scrollTo?.({ left: 0 })}
        >
          <div className={styles.strip}>
            {hasNotes ? <TipGroup>{list}</TipGroup> : list}
            <BrandCopy brands={brands} />
          </div>
        </div>
        <div className={styles.foot}>
          <p className={styles.footer}>{words.footer}</p>
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
