import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import buttons from "@/components/button.module.css";
import { type ConsentChoice, currentConsent, type Purpose } from "@/lib/consent";
import { addSheet } from "@/lib/lateSheet";
import ui from "@/styles/ui.module.css";
import rules from "./ConsentBanner.css?inline";

addSheet(rules);

export type ConsentWords = Omit<Content<"consent.yaml">, "reopen">;

interface BoxesProps {
  words: Pick<ConsentWords, "legend" | "purposes" | "needed">;
  purposes: readonly Purpose[];
  choice: ConsentChoice;
  onChange: (choice: ConsentChoice) => void;
}

/** One box for each purpose, unticked until the visitor ticks it. */
function PurposeBoxes({ words, purposes, choice, onChange }: BoxesProps) {
  const id = useId();
  return (
    <fieldset className="ask-purposes">
      <legend>{words.legend}</legend>
      {purposes.map((purpose) => (
        <label key={purpose} className="ask-purpose">
          <input
            type="checkbox"
            checked={choice[purpose] === true}
            aria-describedby={`${id}${purpose}`}
            onChange={({ target }) => onChange({ ...choice, [purpose]: target.checked })}
          />
          <span className="ask-label">{words.purposes[purpose].label}</span>
          <span id={`${id}${purpose}`} className="ask-detail">
            {words.purposes[purpose].text}
          </span>
        </label>
      ))}
      <p className="ask-detail">{words.needed}</p>
    </fieldset>
  );
}

const FIELD = "#root :is(input, textarea, select)";

/**
 * While it is open the page is data-asking, with the banner's height as --consent-room: nothing focused, and no end of a
 * page, is covered by it. It stands above the bottom bar, whose height the page has as data-bar, and is away while a field
 * has the focus. With :has() on html or body each change of any page would look through the whole of it.
 */
function useRoom(banner: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = banner.current;
    if (element === null) {
      return;
    }
    const page = document.documentElement;
    page.dataset.asking = "";
    const observer = new ResizeObserver(() => page.style.setProperty("--consent-room", `${element.offsetHeight}px`));
    observer.observe(element);
    const rise = () => element.style.setProperty("--bar", `${page.dataset.bar ?? 0}px`);
    const bar = new MutationObserver(rise);
    bar.observe(page, { attributeFilter: ["data-bar"] });
    rise();
    const onFocus = ({ type, target }: FocusEvent) =>
      element.toggleAttribute("data-away", type === "focusin" && (target as Element).matches(FIELD));
    const stop = new AbortController();
    document.addEventListener("focusin", onFocus, { signal: stop.signal });
    document.addEventListener("focusout", onFocus, { signal: stop.signal });
    return () => {
      observer.disconnect();
      bar.disconnect();
      stop.abort();
      page.style.removeProperty("--consent-room");
      delete page.dataset.asking;
    };
  }, [banner]);
}

interface Props {
  words: ConsentWords;
  purposes: readonly Purpose[];
  /** The visitor reopened it: it takes focus, shows the present choice, and Esc leaves that unchanged. */
  again: boolean;
  onAnswer: (choice: ConsentChoice) => void;
  onClose: () => void;
}

const all = (purposes: readonly Purpose[], allowed: boolean): ConsentChoice =>
  Object.fromEntries(purposes.map((purpose) => [purpose, allowed]));

/** A region that blocks nothing: focus moves freely between it and the page. */
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
      className="ask"
      aria-labelledby={id}
      data-consent=""
      data-choosing={choosing ? "" : undefined}
      data-again={again ? "" : undefined}
      onKeyDown={onKeyDown}
    >
      <div className={`ask-text ${ui.stack} ${ui.muted}`}>
        <h2 ref={title} id={id} className="ask-title" tabIndex={-1}>
          {words.title}
        </h2>
        <p>
          {words.text} {words.promise} <a href={words.more.href}>{words.more.text}</a>
        </p>
        {choosing && <PurposeBoxes words={words} purposes={purposes} choice={choice} onChange={setChoice} />}
      </div>
      <div className="ask-actions">
        <button type="button" className={buttons.quiet} onClick={() => onAnswer(all(purposes, false))}>
          {words.reject}
        </button>
        <button type="button" className={buttons.quiet} onClick={() => onAnswer(all(purposes, true))}>
          {words.accept}
        </button>
        {choosing ? (
          // Ignore the second click of a double click on "Choose".
          <button
            key="save"
            type="button"
            className="ask-more"
            onClick={({ detail }) => detail > 1 || onAnswer(choice)}
          >
            {words.save}
          </button>
        ) : (
          <button key="choose" type="button" className="ask-more" onClick={() => setChoosing(true)}>
            {words.choose}
          </button>
        )}
      </div>
    </section>
  );
}
