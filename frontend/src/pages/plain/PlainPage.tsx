import type { ReactNode } from "react";
import buttons from "@/components/button.module.css";
import { ChatLink, PhoneLink } from "@/components/ContactLinks";
import bar from "@/components/form/FailureBar.module.css";
import { Icon } from "@/components/Icon";
import { footerWords } from "@/content/footer";
import { siteWords } from "@/content/site";
import styles from "@/sections/FormPage.module.css";
import { PageFrame } from "@/sections/PageFrame";
import { SiteFooter } from "@/sections/SiteFooter";
import { anyOf, entriesOf, type State, type States } from "./filled";
import { PlainNotices } from "./PlainNotices";
import { When } from "./When";

/** The states in which something stood in the way; in the others the text is the page's lead. */
const TROUBLE: readonly State[] = ["limited", "failed", "long", "closed", "unreadable"];
/** Here the visitor goes back to what was typed: an empty form would look as if it were lost. */
const WITHOUT_FORM: readonly State[] = ["long", "closed"];

interface Props {
  samples: boolean;
  states: States;
  /** The end of the tags of the page's chat links. */
  source: string;
  ways: { chat: string; call: string };
  children: ReactNode;
}

/** What stood in the way, and the ways around it. */
function Trouble({ source, ways, children }: Pick<Props, "source" | "ways" | "children">) {
  return (
    <div className={bar.bar}>
      <p className={bar.text}>
        <Icon name="alert" />
        <span>{children}</span>
      </p>
      <div className={bar.ways}>
        <ChatLink source={source} className={buttons.chat}>
          <Icon name="chat" />
          {ways.chat}
        </ChatLink>
        <PhoneLink source={source} label={ways.call} className={buttons.quiet} />
      </div>
    </div>
  );
}

/** A page that shows a form without any script, and says what happened to it. */
export function PlainPage({ samples, states, source, ways, children }: Props) {
  const said = (part: "title" | "text") =>
    entriesOf(states).map(([state, words]) => (
      <When key={state} is={anyOf([state])}>
        {words[part]}
      </When>
    ));
  const foot = footerWords(samples);
  const footer = (
    <SiteFooter words={foot} source={`footer-${source}`} notices={<PlainNotices legal={foot.legal} />} />
  );
  return (
    <PageFrame words={siteWords(samples)} source={`header-${source}`} footer={footer} bar={null}>
      <div className={styles.page}>
        <header className={styles.head}>
          <h1 className={styles.title}>{said("title")}</h1>
          <When is={`not (${anyOf(TROUBLE)})`}>
            <p className={styles.lead}>{said("text")}</p>
          </When>
        </header>
        <When is={anyOf(TROUBLE)}>
          <Trouble source={`${source}-page`} ways={ways}>
            {said("text")}
          </Trouble>
        </When>
        <When is={`not (${anyOf(WITHOUT_FORM)})`}>
          <div className={styles.card}>{children}</div>
        </When>
      </div>
    </PageFrame>
  );
}
