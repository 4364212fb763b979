import { plan as data } from "#content/plan";
import { answer, chart, page } from "#content/plan.yaml";
import { SelectiveHydration } from "@/components/SelectiveHydration";
import { PlanBlock } from "@/sections/plan/PlanBlock";
import { usePlan } from "@/sections/plan/usePlan";
import { FormSection } from "./lateParts";
import { allTreatments } from "./treatmentPlaces";

const WORDS = { page, chart, answer };

interface Props {
  /** Whose prices it adds up. */
  list: string;
  /** The address that its page is below: "" or a landing page's. */
  root: string;
  source: string;
}

/** The questions, the sum of listed prices, and the form that takes both along. */
export function PlanWork({ list, root, source }: Props) {
  const plan = usePlan(data, list);
  const attached = plan.text && { text: plan.text, label: answer.line, sum: plan.view?.sum ?? null };
  return (
    <>
      <PlanBlock words={WORDS} data={data} plan={plan} prices={allTreatments(root)} />
      <SelectiveHydration>
        <FormSection source={source} plan={attached || null} />
      </SelectiveHydration>
    </>
  );
}
