import { type ChangeEvent, useEffect, useRef } from "react";
import { Icon } from "@/components/Icon";
import { Picture } from "@/components/Picture";
import type { PictureFile } from "@/lib/pictures";
import { scrollBehaviour } from "@/lib/scroll";
import { whenNear } from "@/lib/whenNear";
import styles from "./CompareSlider.module.css";

interface Props {
  words: Content<"cases.yaml">["words"];
  name: string;
  before: PictureFile;
  after: PictureFile;
  /** Where the line stands at first, in per cent from the left. */
  start: number;
  /** Text over the pictures; null omits it. */
  stamp: string | null;
}

const SIZES = "(min-width: 1000px) 370px, (min-width: 768px) 46vw, 92vw";
/** When the pictures are first seen, the line comes from here to its start. */
const FROM = "85%";
const GLIDE = { duration: 900, easing: "ease-in-out" };
const SEEN = { threshold: 0.6 };

/** Moves the line of `frame` once, when it is first seen; returns how to stop it. */
function glide(frame: HTMLElement, start: number): () => void {
  const motion = frame.animate({ "--at": [FROM, `${start}%`] }, GLIDE);
  motion.pause();
  const forget = whenNear(frame, SEEN, () => motion.play());
  return () => {
    forget();
    motion.cancel();
  };
}

const idle = () => {};

/** Two stacked pictures with a native range input that moves the dividing line by pointer, touch or arrow keys. */
export function CompareSlider({ words, name, before, after, start, stamp }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const stop = useRef(idle);
  const valueText = (share: number) => words.share.replace("{share}", String(share));
  // Set in script because the content security policy blocks style attributes.
  const draw = (share: number | string) => frame.current?.style.setProperty("--at", `${share}%`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn once; afterwards the line is the visitor's.
  useEffect(() => {
    draw(start);
    if (frame.current && scrollBehaviour() === "smooth") {
      stop.current = glide(frame.current, start);
    }
    return () => stop.current();
  }, []);
  function onChange({ target }: ChangeEvent<HTMLInputElement>): void {
    stop.current();
    draw(target.value);
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
        defaultValue={start}
        className={styles.slider}
        aria-label={words.compare.replace("{name}", name)}
        aria-valuetext={valueText(100 - start)}
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
