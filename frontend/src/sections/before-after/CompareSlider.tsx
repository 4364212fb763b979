import { type ChangeEvent, useRef } from "react";
import { Icon } from "@/components/Icon";
import { Picture } from "@/components/Picture";
import type { PictureFile } from "@/lib/pictures";
import styles from "./CompareSlider.module.css";

export interface CompareWords {
  before: string;
  after: string;
  /** Contains {name}: what is compared. */
  compare: string;
  /** Contains {share}: the percentage of the result that is shown. */
  share: string;
}

interface Props {
  words: CompareWords;
  name: string;
  before: PictureFile;
  after: PictureFile;
  /** Text over the pictures; null omits it. */
  stamp: string | null;
}

const SIZES = "(min-width: 1080px) 370px, (min-width: 700px) 46vw, 92vw";
const START = 50;

/** Two stacked pictures with a native range input that moves the dividing line by pointer, touch or arrow keys. */
export function CompareSlider({ words, name, before, after, stamp }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const valueText = (share: number) => words.share.replace("{share}", String(share));
  function onChange({ target }: ChangeEvent<HTMLInputElement>): void {
    // Set in script because the content security policy blocks style attributes.
    frame.current?.style.setProperty("--at", `${target.value}%`);
    target.setAttribute("aria-valuetext", valueText(100 - Number(target.value)));
  }
  return (
    <div ref={frame} className={styles.frame}>
      <Picture file={after} alt={`${name}: ${words.after}`} sizes={SIZES} />
      <div className={styles.before}>
        <Picture file={before} alt={`${name}: ${words.before}`} sizes={SIZES} />
      </div>
      <span className={styles.label} data-side="before" aria-hidden="true">
        {words.before}
      </span>
      <span className={styles.label} data-side="after" aria-hidden="true">
        {words.after}
      </span>
      <input
        type="range"
        min="0"
        max="100"
        step="1"
        defaultValue={START}
        className={styles.slider}
        aria-label={words.compare.replace("{name}", name)}
        aria-valuetext={valueText(START)}
        onChange={onChange}
      />
      <span className={styles.line} aria-hidden="true">
        <span className={styles.handle}>
          <Icon name="sides" />
        </span>
      </span>
      {stamp && <p className={styles.stamp}>{stamp}</p>}
    </div>
  );
}
