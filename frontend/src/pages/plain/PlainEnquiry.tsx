import { form, plain } from "#content/lead-form.yaml";
import { marketing } from "#content/legal.yaml";
import { Honeypot } from "@/components/form/Field";
import shared from "@/components/form/form.module.css";
import { SubmitButton } from "@/components/form/SubmitButton";
import { VISIBLE_FIELDS } from "@/features/lead-form/fields";
import styles from "@/features/lead-form/LeadForm.module.css";
import type { States } from "./filled";
import { HiddenInputs } from "./HiddenInputs";
import { PlainPage } from "./PlainPage";
import { TypedField } from "./TypedField";
import { TypedPhone } from "./TypedPhone";
import { When } from "./When";
import { Wrong } from "./Wrong";

export const ENQUIRY_STATES: States = {
  ...plain,
  limited: { title: form.limited.toast.title, text: form.limited.text },
};

function MarketingBox({ ticked }: { ticked: boolean }) {
  return (
    <label className={styles.marketing}>
      <input
        type="checkbox"
        name="marketing"
        value={marketing.version}
        defaultChecked={ticked}
        className={shared.box}
      />
      {marketing.text}
    </label>
  );
}

/** The enquiry form for browsers that run no script, and the answer to what they send. */
export function PlainEnquiry({ samples }: { samples: boolean }) {
  const { labels, hints, country } = form;
  const phone = { label: labels.phone, hint: hints.phone, country: country.button };
  return (
    <PlainPage samples={samples} states={ENQUIRY_STATES} source="enquiry" ways={form.failure}>
      <form method="post" action="/enquiry" noValidate className={shared.form}>
        <Wrong words={form.summary} fields={VISIBLE_FIELDS} />
        <p className={shared.note}>{form.requiredNote}</p>
        <div className={styles.pair}>
          <TypedField name="name" label={labels.name} required autoComplete="given-name" maxLength={80} />
          <TypedField
            name="surname"
            label={labels.surname}
            required
            autoComplete="family-name"
            maxLength={80}
          />
        </div>
        <TypedField
          name="email"
          label={labels.email}
          required
          type="email"
          autoComplete="email"
          maxLength={100}
        />
        <TypedPhone words={phone} />
        <TypedField name="message" label={labels.message} hint={hints.message} rows={3} maxLength={5000} />
        <HiddenInputs names={["zc_gad", "key", "start", "visit"]} />
        <Honeypot id="website" name="website" />
        <When is="values.marketing" otherwise={<MarketingBox ticked={false} />}>
          <MarketingBox ticked />
        </When>
        <SubmitButton words={form} status="idle" />
        <div className={shared.notices}>
          {form.notices.map((notice) => (
            <p key={notice}>{notice}</p>
          ))}
        </div>
      </form>
    </PlainPage>
  );
}
