import type { ComponentProps } from "react";
import { ChatLink, PhoneLink } from "@/components/ContactLinks";
import { Icon } from "@/components/Icon";
import { Wordmark } from "@/components/Wordmark";
import styles from "./SiteHeader.module.css";
import { TopBar } from "./TopBar";
import { useHeaderReturn } from "./useHeaderReturn";

interface Props {
  words: {
    skip: string;
    topBar: ComponentProps<typeof TopBar>;
    header: { wordmark: { first: string; rest: string }; call: string; chat: string; nav: string };
  };
  /** Sections of the page and another page, linked on wide screens. */
  navigation: readonly { href: string; text: string }[];
  source: string;
}

/** What comes before the content of every page: a link over all of it, the bar, and the header itself. */
export function SiteHeader({ words, navigation, source }: Props) {
  const state = useHeaderReturn();
  const { skip, topBar, header } = words;
  return (
    <>
      {/* A landmark of its own, because the cookie banner may come before it. */}
      <nav aria-label={skip}>
        <a href="#content" className={styles.skip}>
          {skip}
        </a>
      </nav>
      <TopBar {...topBar} />
      <header className={styles.header} data-state={state}>
        <div className={styles.row}>
          <Wordmark name={header.wordmark} />
          {navigation.length > 0 && (
            <nav className={styles.nav} aria-label={header.nav}>
              {navigation.map(({ href, text }) => (
                <a key={href} href={href} className={styles.place}>
                  {text}
                </a>
              ))}
            </nav>
          )}
          <div className={styles.contact}>
            <PhoneLink source={source} label={header.call} className={styles.phone} />
            <ChatLink source={source} className={styles.chat}>
              <Icon name="chat" />
              {header.chat}
            </ChatLink>
          </div>
        </div>
      </header>
    </>
  );
}
