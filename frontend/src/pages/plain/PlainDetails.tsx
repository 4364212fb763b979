import { header } from "#content/site.yaml";
import { plain, thankYou } from "#content/thank-you.yaml";
import { names } from "#content/treatments.yaml?names";
import buttons from "@/components/button.module.css";
import shared from "@/components/form/form.module.css";
import { DetailsFields } from "@/sections/thank-you/DetailsFields";
import { type States, typed } from "./filled";
import { PlainPage } from "./PlainPage";

const { details } = thankYou;

export const DETAILS_STATES: States = plain;

/** The answer to what a browser without a script added to an enquiry, where it could not be stored. */
export function PlainDetails({ samples }: { samples: boolean }) {
  return (
    <PlainPage samples={samples} states={DETAILS_STATES} source="details" ways={header}>
      <form method="post" action="/details" className={shared.form}>
        <input type="hidden" name="token" defaultValue={typed("token")} />
        <input type="hidden" name="reference" defaultValue={typed("reference")} />
        <DetailsFields
          words={details}
          treatments={names}
          interest={null}
          slots={[]}
          zone=""
          answers={{}}
          onAnswer={() => {}}
        />
        <button type="submit" className={buttons.primary}>
          {details.save}
        </button>
      </form>
    </PlainPage>
  );
}
