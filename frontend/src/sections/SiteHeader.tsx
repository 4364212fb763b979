import { Icon } from "@/components/Icon";
import { Wordmark } from "@/components/Wordmark";
import { PhoneLink } from "@/features/phone/PhoneLink";
import { ChatLink } from "@/features/whatsapp/ChatLink";
import styles from "./SiteHeader.module.css";

interface Props {
  words: { wordmark: { first: string; rest: string }; call: string; chat: string };
  source: string;
}

export function SiteHeader({ words, source }: Props) {
  return (
    <header className={styles.header}>
      <div className={styles.row}>
        <Wordmark name={words.wordmark} />
        <div className={styles.contact}>
          <PhoneLink source={source} label={words.call} className={styles.phone} />
          <ChatLink source={source} className={styles.chat}>
            <Icon name="chat" />
            {words.chat}
          </ChatLink>
        </div>
      </div>
    </header>
  );
}
