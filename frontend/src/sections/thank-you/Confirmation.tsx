import { type ReactNode, useState } from "react";
import buttons from "@/components/button.module.css";
import { ChatLink, PhoneLink } from "@/components/ContactLinks";
import { Icon } from "@/components/Icon";
import { lazyNamed } from "@/components/lazyNamed";
import { PageLink } from "@/components/PageLink";
import { Points } from "@/components/Points";
import { useHydrated } from "@/lib/hydrated";
import { type Receipt, referenceFromClock, useReceipt } from "@/lib/receipt";
import { useSettings } from "@/lib/settings";
import ui from "@/styles/ui.module.css";
import styles from "./Confirmation.module.css";
import { ReferenceBox } from "./ReferenceBox";

/** Fetched where there is something to add to; without it the page is as it was. */
const Details = lazyNamed(() => import("./Details"), "Details", { Details: () => null });

type Words = Content<"thank-you.yaml">["thankYou"];

interface Props {
  words: Words;
  source: string;
}

interface Step {
  title: string;
  text: string;
  /** What the visitor can do in this step. */
  action?: ReactNode;
}

/** What happens next: first the visitor's own step, to send photos under the reference. */
function stepsAfter(receipt: Receipt | null, { words, source }: Props): Step[] {
  const { photos, steps } = words.next;
  const opening = receipt ? photos.opening.replace("{reference}", receipt.reference) : photos.unknown;
  const action = (
    <ChatLink source={source} opening={opening} className={`${buttons.chat} ${styles.photos}`}>
      <Icon name="chat" />
      {photos.button}
    </ChatLink>
  );
  return [{ title: photos.title, text: photos.text, action }, ...steps];
}

function NextSteps({ title, steps }: { title: string; steps: readonly Step[] }) {
  return (
    <section className={styles.next}>
      <h2 className={styles.heading}>{title}</h2>
      <ol>
        {steps.map((step) => (
          <li key={step.title} className={styles.step}>
            <h3 className={ui.plain}>{step.title}</h3>
            <p className={ui.muted}>{step.text}</p>
            {step.action}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Ready({ title, items, email }: { title: string; items: readonly string[]; email: string | null }) {
  return (
    <section className={styles.ready}>
      <h2 className={styles.heading}>{title}</h2>
      <Points lines={items} />
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
  const receipt = useReceipt();
  const [substitute] = useState(() => referenceFromClock(Date.now()));
  const unsent = useHydrated() && receipt === null;
  const { mailEnabled } = useSettings();
  const { greeting, contact } = words;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <svg className={styles.tick} viewBox="0 0 96 96" aria-hidden="true">
          <circle cx="48" cy="48" r="44" />
          <path d="m29 49.500 13 13 25-27" pathLength="1" />
        </svg>
        <h1 className={styles.title}>
          {greeting}
          {receipt?.firstName && (
            <>
              , <bdi>{receipt.firstName}</bdi>
            </>
          )}
        </h1>
        <p className={styles.lead}>
          {unsent ? (
            words.leadUnsent
          ) : (
            <>
              {/* The server writes its own sentence here, which stays. */}
              {words.lead} <span suppressHydrationWarning>{receipt?.call ?? words.call}</span>
            </>
          )}
        </p>
        <ReferenceBox
          words={words.reference}
          reference={receipt?.reference ?? (unsent ? substitute : null)}
          canCopy={!unsent}
        />
      </header>
      {receipt?.details && <Details words={words.details} receipt={receipt} />}
      <div className={styles.columns}>
        <NextSteps title={words.next.title} steps={stepsAfter(receipt, props)} />
        <Ready {...words.ready} email={mailEnabled ? words.email : null} />
      </div>
      <section className={styles.head}>
        <h2 className={styles.heading}>{contact.title}</h2>
        <div className={styles.contactOptions}>
          <ChatLink source={source} className={buttons.quiet}>
            <Icon name="chat" />
            {contact.chat}
          </ChatLink>
          <PhoneLink source={source} label={contact.call} showNumber={false} className={buttons.quiet} />
        </div>
        <PageLink to="/" className={ui.alone}>
          {words.home}
        </PageLink>
      </section>
    </div>
  );
}
