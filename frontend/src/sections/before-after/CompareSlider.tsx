import { type ChangeEvent, useRef } from "react";
import { LateIcon } from "@/components/LateIcon";
import { Picture } from "@/components/Picture";
import type { PictureFile } from "@/lib/pictures";
import styles from "./CompareSlider.module.css";

export interface CompareWords {
  before: string;
  after: string;
  /** {name} of what is compared. */
  compare: string;
  /** {share} of the picture that shows the result, in per cent. */
  share: string;
}

interface Props {
  words: CompareWords;
  name: string;
  before: PictureFile;
  after: PictureFile;
  /** Printed on the pictures; null leaves it out. */
  stamp: string | null;
}

const SIZES = "(min-width: 1080px) 370px, (min-width: 700px) 46vw, 92vw";
const START = 50;

/** Two pictures on top of each other and a native slider between them: pointer, touch and arrow keys all move it. */
export function CompareSlider({ words, name, before, after, stamp }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const valueText = (share: number) => words.share.replace("{share}", String(share));
  function onChange({ target }: ChangeEvent<HTMLInputElement>): void {
    // Set from here, because the content security policy refuses style attributes.
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
          <LateIcon name="sides" />
        </span>
      </span>
      {stamp && <p className={styles.stamp}>{stamp}</p>}
    </div>
  );
}
