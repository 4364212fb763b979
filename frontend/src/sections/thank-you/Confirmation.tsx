import buttons from "@/components/button.module.css";
import { ChatLink, PhoneLink } from "@/components/ContactLinks";
import { Icon } from "@/components/Icon";
import { PageLink } from "@/components/PageLink";
import { useReceipt } from "@/lib/receipt";
import { useSettings } from "@/lib/settings";
import styles from "./Confirmation.module.css";
import { NextSteps, type Step } from "./NextSteps";
import { ReferenceBox } from "./ReferenceBox";
import { Tick } from "./Tick";

interface Words {
  greeting: string;
  lead: string;
  /** Replaces the lead when nothing was sent from this browser. */
  leadUnsent: string;
  reference: { label: string; copy: string; copied: string };
  email: string;
  next: { title: string; steps: readonly Step[] };
  ready: { title: string; items: readonly string[] };
  contact: { title: string; chat: string; call: string };
  home: string;
}

interface Props {
  words: Words;
  source: string;
}

export function Confirmation({ words, source }: Props) {
  const shown = useReceipt();
  const receipt = shown?.receipt;
  const { mailEnabled } = useSettings();
  const { greeting, contact } = words;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Tick />
        <h1 className={styles.title}>
          {receipt?.firstName ? `${greeting}, ${receipt.firstName}` : greeting}
        </h1>
        <p className={styles.lead}>{shown && !receipt ? words.leadUnsent : words.lead}</p>
        <ReferenceBox
          words={words.reference}
          reference={shown?.reference ?? null}
          canCopy={!shown || receipt !== null}
        />
      </header>
      <div className={styles.columns}>
        <NextSteps title={words.next.title} steps={words.next.steps} from={receipt?.acceptedAt ?? null} />
        <section className={styles.ready}>
          <h2 className={styles.heading}>{words.ready.title}</h2>
          <ul>
            {words.ready.items.map((item) => (
              <li key={item}>
                <Icon name="check" />
                {item}
              </li>
            ))}
          </ul>
          {mailEnabled && (
            <p className={styles.email}>
              <Icon name="mail" />
              {words.email}
            </p>
          )}
        </section>
      </div>
      <section className={styles.contact}>
        <h2 className={styles.heading}>{contact.title}</h2>
        <div className={styles.ways}>
          <ChatLink source={source} className={buttons.chat}>
            <Icon name="chat" />
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
