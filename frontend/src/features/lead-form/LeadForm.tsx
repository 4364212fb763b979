import { useEffect, useRef } from "react";
import { useNavigate } from "react-router-dom";
import buttons from "@/components/button.module.css";
import { ChatLink, PhoneLink } from "@/components/ContactLinks";
import { FailureBar } from "@/components/form/FailureBar";
import { Honeypot, NativeFields, TextField, type TextFieldProps } from "@/components/form/Field";
import shared from "@/components/form/form.module.css";
import { SubmitButton } from "@/components/form/SubmitButton";
import { Icon } from "@/components/Icon";
import { FORM_SECTION } from "@/components/places";
import { useToaster } from "@/components/Toasts";
import { restoreDraft } from "@/lib/draft";
import { enhance } from "@/lib/nativeForm";
import { receiptAddress } from "@/lib/receipt";
import { reloadIfNavigationStalls } from "@/lib/shownPage";
import ui from "@/styles/ui.module.css";
import { type LeadFormWords, LIMITS } from "./fields";
import styles from "./LeadForm.module.css";
import { PhoneField, useCountryChoice } from "./PhoneField";
import type { FieldName } from "./schema";
import { useLeadForm } from "./useLeadForm";
import { useSubmission } from "./useSubmission";

/** One page has one form. */
export const idOf = (name: string) => `enquiry-${name}`;

/** The pre-rendered form is the form that is sent: its validation loads later and works on the same inputs. */
export function LeadForm({ words }: { words: LeadFormWords }) {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const toaster = useToaster();
  const choice = useCountryChoice();
  const { register, errors, loaded, callbackTime, load, prefetch } = useLeadForm(form, (ready, selectedCountry) => {
    choice.start(ready, selectedCountry, isPhoneEmpty);
    toaster.prepare();
  });
  useEffect(() => {
    if (form.current) {
      restoreDraft(form.current);
      return enhance(form.current);
    }
  }, []);
  const { status, submit } = useSubmission({
    form,
    words,
    load,
    countryIso: choice.currentIso,
    showToast: toaster.show,
    goToThankYou: (receipt) => {
      const address = receiptAddress(receipt);
      void navigate(address, { state: receipt });
      reloadIfNavigationStalls(address);
    },
  });
  const field = (name: FieldName) => ({ id: idOf(name), ...register(name) });
  const isPhoneEmpty = () => !form.current || new FormData(form.current).get("phone") === "";
  const text = (name: "name" | "surname" | "email" | "message", more: Partial<TextFieldProps>) => (
    <TextField {...field(name)} label={words.labels[name]} error={errors[name]} maxLength={LIMITS[name]} {...more} />
  );

  return (
    // Works without any script: the browser posts it, and our server answers with a page.
    <form
      ref={form}
      method="post"
      action="/enquiry"
      data-draft="enquiry"
      noValidate
      className={shared.form}
      onSubmit={submit}
      onFocus={prefetch}
      onPointerDown={prefetch}
    >
      <p className={ui.small}>{words.requiredNote}</p>
      <div className={styles.pair}>
        {text("name", { required: true, autoComplete: "given-name" })}
        {text("surname", { required: true, autoComplete: "family-name" })}
      </div>
      {text("email", { required: true, autoComplete: "email", type: "email" })}
      <PhoneField
        field={field("phone")}
        words={words}
        error={errors.phone ?? errors.countryCode}
        country={choice.country}
        loaded={loaded}
        onSelect={choice.touch}
        onChoose={choice.choose}
      />
      {text("message", { hint: words.hints.message, rows: 3 })}
      {/* No default value: React would restore it at each render. */}
      <input type="hidden" {...field("zc_gad")} />
      <NativeFields />
      <Honeypot {...field("website")} />
      {/* Unticked until the visitor ticks it, never required. Its value is the version of its wording. */}
      <label className={styles.marketing}>
        <input {...field("marketing")} type="checkbox" value={words.marketing.version} className={shared.box} />
        {words.marketing.text}
      </label>
      {loaded && (
        <loaded.chunk.ErrorSummary words={words.summary} wrong={loaded.chunk.wrongFields(errors)} idOf={idOf} />
      )}
      <FailureBar status={status} words={words} onAgain={() => submit()}>
        <ChatLink source="contact-form-failure" className={buttons.chat}>
          <Icon name="chat" />
          {words.failure.chat}
        </ChatLink>
        <PhoneLink source="contact-form-failure" label={words.failure.call} className={buttons.quiet} />
      </FailureBar>
      <SubmitButton words={words} status={status} />
      <div className={shared.notices}>
        <p className={styles.call}>{callbackTime ?? words.call}</p>
        {words.notices.map((notice) => (
          <p key={notice}>{notice}</p>
        ))}
      </div>
    </form>
  );
}

/** The form on its mint card, with the anchor that every call to action links to. */
export function LeadFormCard({ words }: { words: LeadFormWords }) {
  return (
    <section id={FORM_SECTION} tabIndex={-1} className={styles.card} aria-labelledby={`${FORM_SECTION}-title`}>
      <div className={styles.head}>
        <h2 id={`${FORM_SECTION}-title`}>{words.title}</h2>
        <p className={ui.lead}>{words.subtitle}</p>
      </div>
      <LeadForm words={words} />
    </section>
  );
}
