import { type KeyboardEvent, type ReactNode, useState } from "react";
import { LOWER, UPPER } from "@/lib/plan";

export interface ChartWords {
  label: string;
  right: string;
  left: string;
  upper: string;
  lower: string;
  clear: string;
  /** Contains {jaw}, {side}, {place} and {state}. */
  tooth: string;
  jaws: { upper: string; lower: string };
  sides: { right: string; left: string };
  /** From the middle to the back. */
  places: readonly string[];
  states: { none: string; missing: string; replace: string };
  keys: string;
}

/** What is said of a tooth: "none", "missing" or "replace", and the same in words. */
export type Said = (tooth: number) => { mark: string; words: string };

interface Props {
  words: ChartWords;
  said: Said;
  /** What "replace" is called. */
  replaceWord: ReactNode;
  /** Whether a script moves the focus along the teeth; else each is a stop of its own. */
  roving: boolean;
}

/** As in a mirror: what is on the visitor's right is on the right. */
const ROWS = { upper: UPPER.toReversed(), lower: LOWER.toReversed() } as const;
type Jaw = keyof typeof ROWS;

const OUTLINES = {
  front: "M4.5 14.5C4.5 9 8 5.5 12 5.5s7.5 3.5 7.5 9c0 2.6-3 4-7.5 4s-7.5-1.4-7.5-4Z",
  side: "M12 3.8c4.4 0 6.8 3 6.8 8.2S16.4 20.2 12 20.2 5.2 17.2 5.2 12 7.6 3.8 12 3.8Z",
  back: "M8 3.6c2-.9 6-.9 8 0s4.4 2.9 4.7 5.4.3 5.2-.4 7.2-2.7 4.2-5.3 4.5-5.4.2-7.1-.2-3.8-2.3-4.3-4.7-.4-5.3.1-7.3S6 4.5 8 3.6Z",
};
const RELIEFS = {
  front: "M8.5 14.2c2 1 5 1 7 0",
  side: "M12 9c-.9 2 .9 4 0 6",
  back: "M8.4 9.2c1.4 1.2 2 3.4 3.6 3.4s2.2-2.2 3.6-3.4M12 12.6v3.2",
};
const SIGN = "M9.3 9.3l5.4 5.4M14.7 9.3l-5.4 5.4";

const kindOf = (place: number) => (place < 4 ? "front" : place < 6 ? "side" : "back");

function Tooth({ place }: { place: number }) {
  const kind = kindOf(place);
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={OUTLINES[kind]} />
      <path className="plan-relief" d={RELIEFS[kind]} fill="none" />
      <path className="plan-sign" d={SIGN} fill="none" />
    </svg>
  );
}

const sideOf = (tooth: number): "right" | "left" =>
  [1, 4].includes(Math.floor(tooth / 10)) ? "right" : "left";

function nameOf(words: ChartWords, jaw: Jaw, tooth: number, state: string): string {
  const values: Record<string, string> = {
    jaw: words.jaws[jaw],
    side: words.sides[sideOf(tooth)],
    place: words.places[(tooth % 10) - 1] ?? "",
    state,
  };
  return words.tooth.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}

/** Where an arrow key leads from a tooth, by what is on the screen. */
function neighbour(jaw: Jaw, place: number, key: string): { jaw: Jaw; place: number } | null {
  const last = ROWS[jaw].length - 1;
  switch (key) {
    case "ArrowRight":
      return { jaw, place: Math.min(place + 1, last) };
    case "ArrowLeft":
      return { jaw, place: Math.max(place - 1, 0) };
    case "ArrowDown":
      return { jaw: "lower", place };
    case "ArrowUp":
      return { jaw: "upper", place };
    case "Home":
      return { jaw, place: 0 };
    case "End":
      return { jaw, place: last };
    default:
      return null;
  }
}

/** 32 teeth, each a button that the form's server could answer too. */
export function TeethChart({ words, said, replaceWord, roving }: Props) {
  const [stop, setStop] = useState<{ jaw: Jaw; place: number }>({ jaw: "upper", place: 8 });

  function onKeyDown(event: KeyboardEvent<HTMLFieldSetElement>): void {
    const from = (event.target as HTMLElement).dataset;
    const to = roving && from.row ? neighbour(from.row as Jaw, Number(from.column), event.key) : null;
    if (to) {
      event.preventDefault();
      setStop(to);
      event.currentTarget
        .querySelector<HTMLElement>(`[data-row="${to.jaw}"][data-column="${to.place}"]`)
        ?.focus();
    }
  }

  return (
    <fieldset className="plan-chart" aria-label={words.label} onKeyDown={onKeyDown}>
      {(["upper", "lower"] as const).map((jaw) => (
        <div key={jaw} className="plan-arch" data-jaw={jaw} role="toolbar" aria-label={words.jaws[jaw]}>
          {ROWS[jaw].map((tooth, column) => {
            const { mark, words: state } = said(tooth);
            const current = stop.jaw === jaw ? stop.place === column : column === 8;
            return (
              <button
                key={tooth}
                type="submit"
                name="tap"
                value={tooth}
                className="plan-tooth"
                data-mark={mark}
                data-side={sideOf(tooth)}
                data-place={tooth % 10}
                data-row={jaw}
                data-column={column}
                aria-label={nameOf(words, jaw, tooth, state)}
                tabIndex={roving && !current ? -1 : undefined}
                onFocus={() => setStop({ jaw, place: column })}
              >
                <Tooth place={tooth % 10} />
              </button>
            );
          })}
          <div className="plan-within">
            <button type="submit" name="tap" value={jaw}>
              {words[jaw]}
            </button>
          </div>
        </div>
      ))}
      <p className="plan-sides">
        <span>{words.left}</span>
        <span>{words.right}</span>
      </p>
      <p className="plan-key">
        {(["missing", "replace"] as const).map((mark) => (
          <span key={mark}>
            <span className="plan-tooth" data-mark={mark}>
              <Tooth place={6} />
            </span>
            {mark === "replace" ? replaceWord : words.states[mark]}
          </span>
        ))}
        <button type="submit" name="tap" value="none" className="plan-clear">
          {words.clear}
        </button>
      </p>
    </fieldset>
  );
}
