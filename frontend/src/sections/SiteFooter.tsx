import { useRef } from "react";
import { AlertDialog } from "@/components/AlertDialog";
import { Icon } from "@/components/Icon";
import { Wordmark } from "@/components/Wordmark";
import { PhoneLink } from "@/features/phone/PhoneLink";
import { ChatLink } from "@/features/whatsapp/ChatLink";
import styles from "./SiteFooter.module.css";

interface Notice {
  link: string;
  title: string;
  text: string;
}

export interface FooterWords {
  wordmark: { first: string; rest: string };
  line: string;
  contactTitle: string;
  call: string;
  chat: string;
  address: string;
  hours: string;
  legal: { privacy: Notice; terms: Notice; close: string };
  small: string;
}

interface Props {
  words: FooterWords;
  source: string;
}

export function SiteFooter({ words, source }: Props) {
  const privacy = useRef<HTMLDialogElement>(null);
  const terms = useRef<HTMLDialogElement>(null);
  const { legal } = words;
  return (
    <footer className={styles.footer}>
      <div className={styles.row}>
        <div className={styles.about}>
          <Wordmark name={words.wordmark} />
          <p>{words.line}</p>
        </div>
        <div className={styles.contact}>
          <h2 className={styles.title}>{words.contactTitle}</h2>
          <PhoneLink source={source} label={words.call} className={styles.link} />
          <ChatLink source={source} className={styles.link}>
            <Icon name="chat" />
            {words.chat}
          </ChatLink>
          <p>{words.address}</p>
          <p>{words.hours}</p>
        </div>
      </div>
      <div className={styles.small}>
        <p>{words.small}</p>
        <div className={styles.legal}>
          <button
            type="button"
            className={styles.notice}
            aria-haspopup="dialog"
            onClick={() => privacy.current?.showModal()}
          >
            {legal.privacy.link}
          </button>
          <button
            type="button"
            className={styles.notice}
            aria-haspopup="dialog"
            onClick={() => terms.current?.showModal()}
          >
            {legal.terms.link}
          </button>
        </div>
      </div>
      <AlertDialog
        dialog={privacy}
        title={legal.privacy.title}
        text={legal.privacy.text}
        closeLabel={legal.close}
      />
      <AlertDialog
        dialog={terms}
        title={legal.terms.title}
        text={legal.terms.text}
        closeLabel={legal.close}
      />
    </footer>
  );
}
