import { ChatLink, PhoneLink } from "@/components/ContactLinks";
import { Icon } from "@/components/Icon";
import { Wordmark } from "@/components/Wordmark";
import styles from "./SiteHeader.module.css";
import { useHeaderReturn } from "./useHeaderReturn";

interface Props {
  words: { wordmark: { first: string; rest: string }; call: string; chat: string; nav: string };
  /** Sections of the page, linked on wide screens. */
  navigation: readonly { href: string; text: string }[];
  source: string;
}

export function SiteHeader({ words, navigation, source }: Props) {
  const state = useHeaderReturn();
  return (
    <header className={styles.header} data-state={state}>
      <div className={styles.row}>
        <Wordmark name={words.wordmark} />
        {navigation.length > 0 && (
          <nav className={styles.nav} aria-label={words.nav}>
            {navigation.map(({ href, text }) => (
              <a key={href} href={href} className={styles.place}>
                {text}
              </a>
            ))}
          </nav>
        )}
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
