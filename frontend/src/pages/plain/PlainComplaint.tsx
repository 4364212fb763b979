import { complaint } from "#content/complaint.yaml";
import { header } from "#content/site.yaml";
import { Honeypot } from "@/components/form/Field";
import shared from "@/components/form/form.module.css";
import { SubmitButton } from "@/components/form/SubmitButton";
import { VISIBLE_FIELDS } from "@/features/complaint/complaint";
import type { States } from "./filled";
import { HiddenInputs } from "./HiddenInputs";
import { PlainPage } from "./PlainPage";
import { TypedField } from "./TypedField";
import { Wrong } from "./Wrong";

const { form, plain } = complaint;

export const COMPLAINT_STATES: States = {
  ...plain,
  limited: { title: form.limited.toast.title, text: form.limited.text },
};

/** The answer to a complaint that a browser without a script sent, where it is not its receipt. */
export function PlainComplaint({ samples }: { samples: boolean }) {
  const { labels, hints } = form;
  return (
    <PlainPage samples={samples} states={COMPLAINT_STATES} source="complaint" ways={header}>
      <form method="post" action="/complaint" noValidate className={shared.form}>
        <Wrong words={form.summary} fields={VISIBLE_FIELDS} />
        <p className={shared.note}>{form.requiredNote}</p>
        <TypedField name="name" label={labels.name} required autoComplete="name" maxLength={80} />
        <TypedField
          name="email"
          label={labels.email}
          hint={hints.email}
          required
          type="email"
          autoComplete="email"
          maxLength={100}
        />
        <TypedField name="text" label={labels.text} hint={hints.text} required rows={5} maxLength={5000} />
        <HiddenInputs names={["key"]} />
        <Honeypot id="website" name="website" />
        <SubmitButton words={form} status="idle" />
        <p className={shared.notices}>{form.notice}</p>
      </form>
    </PlainPage>
  );
}
