import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import buttons from "@/components/button.module.css";
import { type ConsentChoice, currentConsent, type Purpose } from "@/lib/consent";
import styles from "./ConsentBanner.module.css";
import { PurposeBoxes } from "./PurposeBoxes";
import { useRoom } from "./useRoom";
import type { ConsentWords } from "./words";

interface Props {
  words: ConsentWords;
  purposes: readonly Purpose[];
  /** Asked for by the visitor: it takes focus, shows the present choice, and Esc leaves that as it is. */
  again: boolean;
  onAnswer: (choice: ConsentChoice) => void;
  onClose: () => void;
}

const all = (purposes: readonly Purpose[], allowed: boolean): ConsentChoice =>
  Object.fromEntries(purposes.map((purpose) => [purpose, allowed]));

/** A region beside the page, not in its way: nothing is blocked, and focus moves freely. */
export function ConsentBanner({ words, purposes, again, onAnswer, onClose }: Props) {
  const id = useId();
  const banner = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const [choosing, setChoosing] = useState(again);
  const [choice, setChoice] = useState<ConsentChoice>(() => ({
    ...all(purposes, false),
    ...(again ? currentConsent()?.choice : {}),
  }));
  useRoom(banner);
  useEffect(() => {
    if (again) {
      title.current?.focus();
    } else if (choosing) {
      banner.current?.querySelector("input")?.focus();
    }
  }, [again, choosing]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Escape" && again && currentConsent()) {
      onClose();
    }
  }

  return (
    <section
      ref={banner}
      className={styles.banner}
      aria-labelledby={id}
      data-consent=""
      data-choosing={choosing ? "" : undefined}
      onKeyDown={onKeyDown}
    >
      <div className={styles.scroll}>
        <h2 ref={title} id={id} className={styles.title} tabIndex={-1}>
          {words.title}
        </h2>
        <p>{words.text}</p>
        <p>
          {words.promise} <a href={words.more.href}>{words.more.text}</a>
        </p>
        {choosing && <PurposeBoxes words={words} purposes={purposes} choice={choice} onChange={setChoice} />}
      </div>
      <div className={styles.actions}>
        <button type="button" className={buttons.quiet} onClick={() => onAnswer(all(purposes, false))}>
          {words.reject}
        </button>
        <button type="button" className={buttons.quiet} onClick={() => onAnswer(all(purposes, true))}>
          {words.accept}
        </button>
        {choosing ? (
          // The second half of a double click on "Choose" is no choice.
          <button
            key="save"
            type="button"
            className={styles.more}
            onClick={({ detail }) => detail > 1 || onAnswer(choice)}
          >
            {words.save}
          </button>
        ) : (
          <button key="choose" type="button" className={styles.more} onClick={() => setChoosing(true)}>
            {words.choose}
          </button>
        )}
      </div>
    </section>
  );
}
