import { ChatLink, PhoneLink } from "@/components/ContactLinks";
import { Icon } from "@/components/Icon";
import { LanguageChats } from "@/components/LanguageChats";
import { Wordmark } from "@/components/Wordmark";
import ui from "@/styles/ui.module.css";
import { FooterDetails } from "./FooterDetails";
import { FooterNotices, type LegalWords } from "./FooterNotices";
import styles from "./SiteFooter.module.css";

type Clinic = Content<"clinic.yaml">;

export type FooterWords = Content<"site.yaml">["footer"] &
  Pick<Clinic, "map" | "email" | "editor" | "complaints"> &
  Record<"line" | "address" | "hours" | "updated", string> & {
    wordmark: Clinic["name"];
    authorisation: Clinic["authorisation"] | null;
    legal: LegalWords;
  };

export function SiteFooter({ words, source }: { words: FooterWords; source: string }) {
  return (
    <footer className={styles.footer}>
      <div className={styles.row}>
        <div className={styles.about}>
          <Wordmark name={words.wordmark} />
          <p>{words.line}</p>
          <a href="/before-you-decide" className={ui.alone}>
            {words.before}
          </a>
        </div>
        <div className={styles.contact}>
          <h2 className={styles.title}>{words.contactTitle}</h2>
          <PhoneLink source={source} label={words.call} className={ui.alone} />
          <ChatLink source={source} className={ui.alone}>
            <Icon name="chat" />
            {words.chat}
          </ChatLink>
          <a href={`mailto:${words.email}`} className={ui.alone}>
            <Icon name="mail" />
            {words.email}
          </a>
          <a href={words.map} className={ui.alone} target="_blank" rel="noopener">
            <Icon name="pin" />
            {words.address} ({words.mapHint})
          </a>
          <p>{words.hours}</p>
          <LanguageChats source={source} />
        </div>
        <FooterDetails words={words} />
      </div>
      <div className={styles.small}>
        <p>{words.small}</p>
        <FooterNotices legal={words.legal} />
      </div>
    </footer>
  );
}
