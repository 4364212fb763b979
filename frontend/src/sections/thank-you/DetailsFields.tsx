import type { Api } from "@/api/types";
import buttons from "@/components/button.module.css";
import shared from "@/components/form/form.module.css";
import { Icon } from "@/components/Icon";
import type { Details } from "@/lib/details";
import ui from "@/styles/ui.module.css";
import styles from "./Details.module.css";

type Kind = NonNullable<Api["/api/details"]["body"]["has"]>[number];

export type DetailsWords = Content<"thank-you.yaml">["thankYou"]["details"];

/** Names one choice of one question. */
export const answerOf = (name: string, value: string) => `${name} ${value}`;

interface Choices {
  /** Heads them, as the day does its times. */
  of?: string;
  choices: readonly { value: string; text: string }[];
}

interface QuestionProps {
  type: "radio" | "checkbox";
  name: string;
  question: string;
  /** Shown in brackets after the question. */
  clock?: string;
  rows: readonly Choices[];
  /** The choice that is selected at first. */
  first?: string;
  /** The choice that has just been saved, as `answerOf` names it, and the word for that. */
  tapped: string | null;
  said: string;
}

/** Native controls, each large enough for a thumb. */
function Question({ type, name, question, clock, rows, first, tapped, said }: QuestionProps) {
  return (
    <fieldset>
      <legend>
        <strong>{question}</strong>
        {clock && ` (${clock})`}
      </legend>
      {rows.map(({ of, choices }) => (
        <div key={of ?? ""} className={of ? styles.day : styles.chips}>
          {of && <b aria-hidden="true">{of}</b>}
          {choices.map(({ value, text }) => (
            <label key={value} className={`${buttons.quiet} ${styles.chip}`}>
              <input type={type} name={name} value={value} defaultChecked={value === first} className={shared.box} />
              <span>
                {of && <span className={ui.hidden}>{of}</span>} {text}
              </span>
              {tapped === answerOf(name, value) && (
                <span className={styles.said} aria-hidden="true">
                  <Icon name="check" />
                  {said}
                </span>
              )}
            </label>
          ))}
        </div>
      ))}
    </fieldset>
  );
}

interface Props extends Pick<Details, "interest" | "slots" | "zone"> {
  words: DetailsWords;
  tapped: string | null;
}

/** Each day with its times; of the clinic's hours, where the visitor's own clock is not known. */
function timesOf({ clock, parts }: DetailsWords, slots: Details["slots"], zone: string) {
  if (slots.length === 0) {
    return { clock, rows: [{ choices: parts.map(({ until, text }) => ({ value: until, text })) }] };
  }
  const rows = [...new Set(slots.map(({ day }) => day))].map((of) => ({
    of,
    choices: slots.filter(({ day }) => day === of).map(({ until, time }) => ({ value: until, text: time })),
  }));
  return { clock: zone, rows };
}

const choicesOf = (texts: Readonly<Record<string, string>>) => [
  { choices: Object.entries(texts).map(([value, text]) => ({ value, text })) },
];

export function DetailsFields({ words, interest, slots, zone, tapped }: Props) {
  const { clock, rows } = timesOf(words, slots, zone);
  const shown = { tapped, said: words.tapped };
  return (
    <>
      {interest === null ? (
        <Question
          type="radio"
          name="interest"
          question={words.interest}
          rows={choicesOf({ ...words.needs, unknown: words.unknown })}
          {...shown}
        />
      ) : (
        <p>{words.known.replace("{treatment}", interest)}</p>
      )}
      <Question
        type="radio"
        name="callUntil"
        question={words.when}
        clock={clock}
        rows={[...choicesOf({ "": words.soon }), ...rows]}
        first=""
        {...shown}
      />
      <Question
        type="checkbox"
        name="has"
        question={words.has}
        rows={choicesOf(words.kinds satisfies Record<Kind, string>)}
        {...shown}
      />
    </>
  );
}
