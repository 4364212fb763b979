import { form as enquiry, plain as enquiryStates } from "#content/lead-form.yaml";
import { header } from "#content/site.yaml";
import { plain as detailsStates, thankYou } from "#content/thank-you.yaml";
import buttons from "@/components/button.module.css";
import { ChatLink, PhoneLink } from "@/components/ContactLinks";
import summary from "@/components/form/ErrorSummary.module.css";
import bar from "@/components/form/FailureBar.module.css";
import { Icon } from "@/components/Icon";
import { leadForm } from "@/content/leadForm";
import { VISIBLE_FIELDS } from "@/features/lead-form/fields";
import { idOf, LeadForm } from "@/features/lead-form/LeadForm";
import { DetailsForm } from "@/sections/thank-you/Details";
import ui from "@/styles/ui.module.css";
import { SitePage } from "./SitePage";

interface Words {
  title: string;
  text: string;
}

const limited = { title: enquiry.limited.toast.title, text: enquiry.limited.text };

/** By form and by what happened: the server's names (web/plain.py). */
export const ANSWERS: Record<"enquiry" | "details", Record<string, Words>> = {
  enquiry: { ...enquiryStates, limited },
  details: detailsStates,
};

/** In these something stood in the way; in the others the text is the page's lead. */
const TROUBLE = ["limited", "failed", "long", "closed", "unreadable"];
/** Here the visitor goes back to what was typed: an empty form would look as if it were lost. */
const WITHOUT_FORM = ["long", "closed"];

/** The ways around what stood in the way. */
function Trouble({ form, text }: { form: keyof typeof ANSWERS; text: string }) {
  const source = `${form}-page`;
  const ways = form === "enquiry" ? enquiry.failure : header;
  return (
    <div className={bar.bar}>
      <p className={bar.text}>
        <Icon name="alert" />
        {text}
      </p>
      <div className={bar.contactOptions}>
        <ChatLink source={source} className={buttons.chat}>
          <Icon name="chat" />
          {ways.chat}
        </ChatLink>
        <PhoneLink source={source} label={ways.call} className={buttons.quiet} />
      </div>
    </div>
  );
}

/** What is wrong, with a link to each field; the server shows those that it names. */
function Wrong() {
  return (
    <ul className={summary.summary}>
      {VISIBLE_FIELDS.map((name) => (
        <li key={name} data-error={name} hidden>
          <a href={`#${idOf(name)}`}>
            <span data-message={name} />
          </a>
        </li>
      ))}
    </ul>
  );
}

const NOTHING = { token: "", interest: null, slots: [], zone: "" };
const RECEIPT = { reference: "", firstName: "", call: null, details: NOTHING };

/** What the server answers to a form that the browser itself posted. It fills the form in; no script runs here. */
export function AnswerPage({ form, state }: { form: keyof typeof ANSWERS; state: string }) {
  const { title, text } = ANSWERS[form][state] as Words;
  const sources = { header: `header-${form}`, footer: `footer-${form}`, bottomBar: null };
  const trouble = TROUBLE.includes(state);
  return (
    <SitePage sources={sources}>
      <div className={ui.narrow}>
        <header className={ui.stack}>
          <h1 className={ui.title}>{title}</h1>
          {!trouble && <p className={ui.lead}>{text}</p>}
        </header>
        {trouble && <Trouble form={form} text={text} />}
        {form === "enquiry" && state === "invalid" && <Wrong />}
        {!WITHOUT_FORM.includes(state) && (
          <div className={ui.mint}>
            {form === "enquiry" ? (
              <LeadForm words={leadForm} />
            ) : (
              <DetailsForm words={thankYou.details} receipt={RECEIPT} details={NOTHING} />
            )}
          </div>
        )}
      </div>
    </SitePage>
  );
}
