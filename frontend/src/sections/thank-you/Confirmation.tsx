import buttons from "@/components/button.module.css";
import { ChatLink, PhoneLink } from "@/components/ContactLinks";
import { Icon } from "@/components/Icon";
import { PageLink } from "@/components/PageLink";
import { closingFrom, type Hours } from "@/lib/deadline";
import { localDay } from "@/lib/format";
import { type Receipt, useReceipt } from "@/lib/receipt";
import { useSettings } from "@/lib/settings";
import styles from "./Confirmation.module.css";
import { NextSteps, type Step } from "./NextSteps";
import { ReferenceBox } from "./ReferenceBox";
import { Tick } from "./Tick";

/** Once the enquiry's time is known, `by` replaces `text`. Its {day} is this many hours after it, or the next open day. */
interface TimedStep {
  title: string;
  text: string;
  byHours?: number | undefined;
  by?: string | undefined;
}

interface Words {
  greeting: string;
  lead: string;
  /** Replaces the lead when nothing was sent from this browser. */
  leadUnsent: string;
  reference: { label: string; copy: string; copied: string };
  email: string;
  next: {
    title: string;
    /** `opening` contains {reference}; `unknown` is for a page without one. */
    photos: { title: string; text: string; button: string; opening: string; unknown: string };
    steps: readonly TimedStep[];
  };
  ready: { title: string; items: readonly string[] };
  contact: { title: string; chat: string; call: string };
  home: string;
}

interface Props {
  words: Words;
  hours: Hours;
  source: string;
}

const HOUR_MS = 3_600_000;

/** The step, with the day by which the clinic has called where it is known. */
function timed({ title, text, byHours, by }: TimedStep, receipt: Receipt | null, hours: Hours): Step {
  const acceptedAt = receipt?.acceptedAt ?? null;
  if (acceptedAt === null || !byHours || !by) {
    return { title, text };
  }
  const closing = closingFrom(acceptedAt + byHours * HOUR_MS, hours);
  return { title, text: by.replace("{day}", localDay(closing)) };
}

/** What happens next: first the visitor's own step, to send photos under the reference. */
function stepsAfter(receipt: Receipt | null, { words, hours, source }: Props): Step[] {
  const { photos, steps } = words.next;
  const opening = receipt ? photos.opening.replace("{reference}", receipt.reference) : photos.unknown;
  const action = (
    <ChatLink source={source} opening={opening} className={`${buttons.chat} ${styles.photos}`}>
      <Icon name="chat" />
      {photos.button}
    </ChatLink>
  );
  return [
    { title: photos.title, text: photos.text, action },
    ...steps.map((step) => timed(step, receipt, hours)),
  ];
}

function Ready({ title, items, email }: { title: string; items: readonly string[]; email: string | null }) {
  return (
    <section className={styles.ready}>
      <h2 className={styles.heading}>{title}</h2>
      <ul>
        {items.map((item) => (
          <li key={item}>
            <Icon name="check" />
            {item}
          </li>
        ))}
      </ul>
      {email && (
        <p className={styles.email}>
          <Icon name="mail" />
          {email}
        </p>
      )}
    </section>
  );
}

export function Confirmation(props: Props) {
  const { words, source } = props;
  const shown = useReceipt();
  const receipt = shown?.receipt ?? null;
  const { mailEnabled } = useSettings();
  const { greeting, contact } = words;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Tick />
        <h1 className={styles.title}>
          {greeting}
          {receipt?.firstName && (
            <>
              , <bdi>{receipt.firstName}</bdi>
            </>
          )}
        </h1>
        <p className={styles.lead}>{shown && !receipt ? words.leadUnsent : words.lead}</p>
        <ReferenceBox
          words={words.reference}
          reference={shown?.reference ?? null}
          canCopy={!shown || receipt !== null}
        />
      </header>
      <div className={styles.columns}>
        <NextSteps title={words.next.title} steps={stepsAfter(receipt, props)} />
        <Ready {...words.ready} email={mailEnabled ? words.email : null} />
      </div>
      <section className={styles.contact}>
        <h2 className={styles.heading}>{contact.title}</h2>
        <div className={styles.ways}>
          <ChatLink source={source} className={buttons.quiet}>
            <Icon name="chat" className={styles.chat} />
            {contact.chat}
          </ChatLink>
          <PhoneLink source={source} label={contact.call} showNumber={false} className={buttons.quiet} />
        </div>
        <PageLink to="/" className={styles.home}>
          {words.home}
        </PageLink>
      </section>
    </div>
  );
}
