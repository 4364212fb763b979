import type { Api } from "@/api/types";
import buttons from "@/components/button.module.css";
import shared from "@/components/form/form.module.css";
import type { Answers, Slot } from "@/lib/details";
import styles from "./Details.module.css";

type Kind = NonNullable<Api["/api/details"]["body"]["has"]>[number];

export interface DetailsWords {
  title: string;
  lead: string;
  /** Contains {treatment}. */
  known: string;
  interest: string;
  unknown: string;
  when: string;
  soon: string;
  /** The times to choose from where the visitor's own are not known; they are on `clock`. */
  parts: readonly { until: string; text: string }[];
  clock: string;
  has: string;
  kinds: Record<Kind, string>;
  save: string;
  saving: string;
  saved: string;
  failed: string;
  thanks: string;
}

interface ChipProps {
  type: "radio" | "checkbox";
  name: string;
  value: string;
  text: string;
  hint?: string;
  checked: boolean;
  onPick: (value: string, checked: boolean) => void;
}

/** A native control, large enough for a thumb. */
function Chip({ text, hint, onPick, ...control }: ChipProps) {
  return (
    <label className={buttons.quiet}>
      <input
        {...control}
        className={shared.box}
        onChange={(event) => onPick(control.value, event.currentTarget.checked)}
      />
      <span>
        {hint && <b>{hint}</b>} {text}
      </span>
    </label>
  );
}

interface Props {
  words: DetailsWords;
  treatments: Readonly<Record<string, string>>;
  /** The treatment in words, where it is known; it is not asked for then. */
  interest: string | null;
  slots: readonly Slot[];
  zone: string;
  answers: Answers;
  onAnswer: (change: Answers) => void;
}

/** Of the clinic's hours, where the visitor's own clock is not known. */
function timesOf(words: DetailsWords, slots: readonly Slot[], zone: string) {
  if (slots.length > 0) {
    return { zone, times: slots.map(({ until, day, time }) => ({ until, text: time, hint: day })) };
  }
  return { zone: words.clock, times: words.parts };
}

/** The questions, with the answers so far. */
export function DetailsFields({ words, treatments, interest, slots, zone, answers, onAnswer }: Props) {
  const { times, zone: clock } = timesOf(words, slots, zone);
  const choices = { ...treatments, unknown: words.unknown };
  const has = answers.has ?? [];
  return (
    <>
      {interest === null ? (
        <fieldset>
          <legend>
            <strong>{words.interest}</strong>
          </legend>
          <div className={styles.chips}>
            {Object.entries(choices).map(([id, text]) => (
              <Chip
                key={id}
                type="radio"
                name="interest"
                value={id}
                text={text}
                checked={answers.interest === id}
                onPick={() => onAnswer({ interest: id })}
              />
            ))}
          </div>
        </fieldset>
      ) : (
        <p>{words.known.replace("{treatment}", interest)}</p>
      )}
      <fieldset>
        <legend>
          <strong>{words.when}</strong> ({clock})
        </legend>
        <div className={styles.chips}>
          <Chip
            type="radio"
            name="callUntil"
            value=""
            text={words.soon}
            checked={(answers.callUntil ?? "") === ""}
            onPick={() => onAnswer({ callUntil: "" })}
          />
          {times.map(({ until, ...said }) => (
            <Chip
              key={until}
              type="radio"
              name="callUntil"
              value={until}
              {...said}
              checked={answers.callUntil === until}
              onPick={() => onAnswer({ callUntil: until })}
            />
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend>
          <strong>{words.has}</strong>
        </legend>
        <div className={styles.chips}>
          {Object.entries(words.kinds).map(([kind, text]) => (
            <Chip
              key={kind}
              type="checkbox"
              name="has"
              value={kind}
              text={text}
              checked={has.includes(kind)}
              onPick={(_, checked) =>
                onAnswer({ has: checked ? [...has, kind] : has.filter((other) => other !== kind) })
              }
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}
