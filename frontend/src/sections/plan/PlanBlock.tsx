import type { ReactNode } from "react";
import buttons from "@/components/button.module.css";
import { FORM_SECTION, SectionLink } from "@/components/SectionLink";
import hidden from "@/components/VisuallyHidden.module.css";
import { useHydrated } from "@/lib/hydrated";
import { markOf, type PlanData, stateOf, topicOf } from "@/lib/plan";
import { fillFrom } from "./fill";
import { type AnswerWords, PlanAnswer } from "./PlanAnswer";
import { PlanQuestions, type QuestionWords } from "./PlanQuestions";
import rules from "./plan.css?inline";
import type { ChartWords } from "./TeethChart";
import type { usePlan } from "./usePlan";

export interface PlanWords {
  page: QuestionWords & { overline: string; title: string; lead: string; hint: string; hintReplace: string };
  chart: ChartWords;
  answer: AnswerWords & { send: string };
}

interface FrameProps {
  words: PlanWords["page"];
  questions: ReactNode;
  answer: ReactNode;
  bar?: ReactNode;
}

/** The page around questions and answer. Its style sheet comes with it. */
export function PlanFrame({ words, questions, answer, bar }: FrameProps) {
  return (
    <div className="plan">
      <style>{rules}</style>
      <header className="plan-head">
        <p className="plan-overline">{words.overline}</p>
        <h1>{words.title}</h1>
        <p className="plan-lead">{words.lead}</p>
      </header>
      <div className="plan-columns">
        {questions}
        {answer}
      </div>
      {bar}
    </div>
  );
}

interface Props {
  words: PlanWords;
  data: PlanData;
  plan: ReturnType<typeof usePlan>;
  /** The page with all prices. */
  prices: string;
}

/** The questions, the chart, and the answer beside them; on phones with the sum at the foot of the screen. */
export function PlanBlock({ words, data, plan, prices }: Props) {
  const { form, answers, view, onSubmit, onChoice } = plan;
  const live = useHydrated();
  const topic = topicOf(data, answers.about);
  const { sum, state } = view ?? { sum: null, state: "ask" as const };
  const said = sum === null ? words.answer[state === "sum" ? "mark" : state] : null;
  return (
    <PlanFrame
      words={words.page}
      questions={
        <PlanQuestions
          words={words.page}
          chart={words.chart}
          topics={data.topics}
          hint={topic?.first === "replace" ? words.page.hintReplace : words.page.hint}
          replaceWord={topic?.replaceWord ?? words.chart.states.replace}
          values={{
            list: answers.list,
            missing: answers.missing.join(","),
            replace: answers.replace.join(","),
          }}
          said={(tooth) => ({
            mark: markOf(answers, tooth) ?? "none",
            words: stateOf(data, answers, tooth),
          })}
          choose={(name, value, control) => control(answers[name] === value)}
          live={live}
          form={form}
          onSubmit={onSubmit}
          onChoice={onChoice}
        />
      }
      answer={<PlanAnswer words={words.answer} fill={fillFrom(view)} prices={prices} />}
      bar={
        <>
          <p role="status" className={hidden.hidden}>
            {said ?? `${sum} ${words.answer.listed}`}
          </p>
          <div className="plan-bar">
            <p>
              {said ?? (
                <>
                  <strong>{sum}</strong> {words.answer.listed}
                </>
              )}
            </p>
            {view && (
              <SectionLink href={`#${FORM_SECTION}`} className={buttons.primary}>
                {words.answer.send}
              </SectionLink>
            )}
          </div>
        </>
      }
    />
  );
}
