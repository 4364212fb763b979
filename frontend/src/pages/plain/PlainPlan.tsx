import { form } from "#content/lead-form.yaml";
import { plan as data } from "#content/plan";
import { answer, chart, page } from "#content/plan.yaml";
import { FORM_SECTION } from "@/components/SectionLink";
import { allTreatments } from "@/pages/treatmentPlaces";
import styles from "@/sections/FormPage.module.css";
import type { Fill } from "@/sections/plan/fill";
import { PlanAnswer } from "@/sections/plan/PlanAnswer";
import { PlanFrame } from "@/sections/plan/PlanBlock";
import { PlanQuestions } from "@/sections/plan/PlanQuestions";
import { anyOf, type States, typed } from "./filled";
import { ENQUIRY_STATES, TypedEnquiry } from "./PlainEnquiry";
import { PlainPage } from "./PlainPage";
import { When } from "./When";

const { full, long, unreadable, limited, failed } = ENQUIRY_STATES;
const open = { title: page.title, text: page.lead };

export const PLAN_STATES = { open, full, long, unreadable, limited, failed } as States;

/** The answer's places in Jinja's words. */
const FILL: Fill = {
  text: (place) => `{{ answer.${place} }}`,
  when: (place, part) => <When is={`answer.${place}`}>{part}</When>,
  each: (place, part) => (
    <>
      {`{% for entry in answer.${place} %}`}
      {part((field) => (field === undefined ? "{{ entry }}" : `{{ entry.${field} }}`))}
      {"{% endfor %}"}
    </>
  ),
};

/** Topics whose first tap on a tooth says that it gets something. */
const REPLACING = data.topics.filter(({ first }) => first === "replace");
const isReplacing = REPLACING.map(({ id }) => `chosen.about_${id}`).join(" or ");

function Hint() {
  return isReplacing === "" ? (
    page.hint
  ) : (
    <When is={isReplacing} otherwise={page.hint}>
      {page.hintReplace}
    </When>
  );
}

function Questions() {
  return (
    <PlanQuestions
      words={page}
      chart={chart}
      topics={data.topics}
      hint={<Hint />}
      replaceWord={chart.states.replace}
      values={{ list: typed("list"), missing: typed("missing"), replace: typed("replace") }}
      said={(tooth) => ({ mark: `{{ marks.t${tooth} }}`, words: `{{ said.t${tooth} }}` })}
      choose={(name, value, control) => (
        <When is={`chosen.${name}_${value}`} otherwise={control(false)}>
          {control(true)}
        </When>
      )}
      live={false}
    />
  );
}

/** The price plan for browsers that run no script: the questions, what the server says to the answers, and the form. */
export function PlainPlan({ samples }: { samples: boolean }) {
  return (
    <PlainPage
      samples={samples}
      states={PLAN_STATES}
      source="plan"
      ways={form.failure}
      whole={
        <When is={anyOf(["open"])}>
          <PlanFrame
            words={page}
            questions={<Questions />}
            answer={<PlanAnswer words={answer} fill={FILL} prices={allTreatments("")} />}
          />
          <When is="values.plan">
            <div id={FORM_SECTION} className={styles.page}>
              <h2>{answer.send}</h2>
              <div className={styles.card}>
                <TypedEnquiry />
              </div>
            </div>
          </When>
        </When>
      }
    >
      <p>
        <a href="/your-plan">{page.title}</a>
      </p>
    </PlainPage>
  );
}
