import type { Api } from "@/api/types";
import buttons from "@/components/button.module.css";
import shared from "@/components/form/form.module.css";
import type { Details, Slot } from "@/lib/details";
import styles from "./Details.module.css";

type Kind = NonNullable<Api["/api/details"]["body"]["has"]>[number];

export type DetailsWords = Content<"thank-you.yaml">["thankYou"]["details"];

interface QuestionProps {
  type: "radio" | "checkbox";
  name: string;
  question: string;
  /** Shown in brackets after the question. */
  clock?: string;
  choices: readonly { value: string; text: string; hint?: string }[];
  /** The choice that is selected at first. */
  first?: string;
}

/** Native controls, each large enough for a thumb. */
function Question({ type, name, question, clock, choices, first }: QuestionProps) {
  return (
    <fieldset>
      <legend>
        <strong>{question}</strong>
        {clock && ` (${clock})`}
      </legend>
      <div className={styles.chips}>
        {choices.map(({ value, text, hint }) => (
          <label key={value} className={buttons.quiet}>
            <input type={type} name={name} value={value} defaultChecked={value === first} className={shared.box} />
            <span>
              {hint && <b>{hint}</b>} {text}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface Props extends Pick<Details, "interest" | "slots" | "zone"> {
  words: DetailsWords;
  treatments: Readonly<Record<string, string>>;
}

/** Of the clinic's hours, where the visitor's own clock is not known. */
function timesOf({ clock, parts }: DetailsWords, slots: readonly Slot[], zone: string) {
  return slots.length > 0
    ? { clock: zone, times: slots.map(({ until, day, time }) => ({ value: until, text: time, hint: day })) }
    : { clock, times: parts.map(({ until, text }) => ({ value: until, text })) };
}

const choicesOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([value, text]) => ({ value, text }));

export function DetailsFields({ words, treatments, interest, slots, zone }: Props) {
  const { clock, times } = timesOf(words, slots, zone);
  return (
    <>
      {interest === null ? (
        <Question
          type="radio"
          name="interest"
          question={words.interest}
          choices={choicesOf({ ...treatments, unknown: words.unknown })}
        />
      ) : (
        <p>{words.known.replace("{treatment}", interest)}</p>
      )}
      <Question
        type="radio"
        name="callUntil"
        question={words.when}
        clock={clock}
        choices={[{ value: "", text: words.soon }, ...times]}
        first=""
      />
      <Question
        type="checkbox"
        name="has"
        question={words.has}
        choices={choicesOf(words.kinds satisfies Record<Kind, string>)}
      />
    </>
  );
}
