import { type FormEventHandler, Fragment, type ReactNode, type RefObject } from "react";
import buttons from "@/components/button.module.css";
import shared from "@/components/form/form.module.css";
import hidden from "@/components/VisuallyHidden.module.css";
import type { Topic } from "@/lib/plan";
import { type ChartWords, type Said, TeethChart } from "./TeethChart";

export interface QuestionWords {
  what: string;
  teeth: string;
  xray: string;
  xrays: { yes: string; no: string; unsure: string };
  show: string;
}

/** Gives a native control its state: chosen or not, by a script or by the server. */
export type Choose = (
  name: "about" | "xray",
  value: string,
  control: (checked: boolean) => ReactNode,
) => ReactNode;

interface Props {
  words: QuestionWords;
  chart: ChartWords;
  topics: readonly Pick<Topic, "id" | "text">[];
  /** What a tap on a tooth says, and what "replace" is called: they depend on the topic. */
  hint: ReactNode;
  replaceWord: ReactNode;
  /** The hidden fields: the price list, and the teeth that are marked. */
  values: { list: string; missing: string; replace: string };
  said: Said;
  choose: Choose;
  /** Whether a script answers. */
  live: boolean;
  form?: RefObject<HTMLFormElement | null>;
  onSubmit?: FormEventHandler<HTMLFormElement>;
  onChoice?: (name: "about" | "xray", value: string) => void;
}

interface ChoicesProps {
  name: "about" | "xray";
  legend: string;
  options: readonly (readonly [string, string])[];
  choose: Choose;
  onChoice: Props["onChoice"];
}

function Choices({ name, legend, options, choose, onChoice }: ChoicesProps) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div className="plan-chips">
        {options.map(([value, text]) => (
          <Fragment key={value}>
            {choose(name, value, (checked) => (
              <label className={buttons.quiet}>
                <input
                  type="radio"
                  name={name}
                  value={value}
                  className={shared.box}
                  {...(onChoice
                    ? { checked, onChange: () => onChoice(name, value) }
                    : { defaultChecked: checked })}
                />
                <span>{text}</span>
              </label>
            ))}
          </Fragment>
        ))}
      </div>
    </fieldset>
  );
}

/** The questions as a plain form: our server answers it with the same page where no script does. */
export function PlanQuestions(props: Props) {
  const { words, chart, topics, hint, replaceWord, values, said, choose, live, form, onSubmit, onChoice } =
    props;
  return (
    <form ref={form} method="post" action="/plan" className="plan-form" onSubmit={onSubmit}>
      {Object.entries(values).map(([name, value]) =>
        onSubmit ? (
          <input key={name} type="hidden" name={name} value={value} />
        ) : (
          <input key={name} type="hidden" name={name} defaultValue={value} />
        ),
      )}
      <Choices
        name="about"
        legend={words.what}
        options={topics.map(({ id, text }) => [id, text] as const)}
        choose={choose}
        onChoice={onChoice}
      />
      <Choices
        name="xray"
        legend={words.xray}
        options={Object.entries(words.xrays)}
        choose={choose}
        onChoice={onChoice}
      />
      {/* Before the teeth, because the first button is what Enter presses. */}
      <p className={live ? hidden.hidden : undefined}>
        <button type="submit" className={buttons.primary} tabIndex={live ? -1 : undefined}>
          {words.show}
        </button>
      </p>
      <div className="plan-teeth">
        <p className="plan-legend">{words.teeth}</p>
        <p className="plan-hint">
          {hint} {live && chart.keys}
        </p>
        <TeethChart words={chart} said={said} replaceWord={replaceWord} roving={live} />
      </div>
    </form>
  );
}
