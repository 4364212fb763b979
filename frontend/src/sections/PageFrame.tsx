import type { ReactNode } from "react";
import type { IconName } from "@/components/Icon";
import styles from "./PageFrame.module.css";
import { SiteHeader } from "./SiteHeader";
import { TopBar } from "./TopBar";

export interface SiteWords {
  skip: string;
  topBar: readonly { id: string; icon: IconName; words: string; sample: boolean }[];
  topBarLabel: string;
  topBarInstead: string;
  header: { wordmark: { first: string; rest: string }; call: string; chat: string; nav: string };
  bottomBar: { label: string; chat: string; form: string };
}

interface Props {
  words: SiteWords;
  /** Tag of the header's chat link. */
  source: string;
  footer: ReactNode;
  /** The fixed bar at the bottom, or nothing. */
  bar: ReactNode;
  /** Sections of this page that the header links to. */
  navigation?: readonly { href: string; text: string }[];
  children: ReactNode;
}

/** The frame of every page. The fixed bar follows the content in the document, for keyboards and screen readers. */
export function PageFrame({ words, source, footer, bar, navigation = [], children }: Props) {
  return (
    <>
      {/* A landmark of its own, because the cookie banner may come before it. */}
      <nav aria-label={words.skip}>
        <a href="#content" className={styles.skip}>
          {words.skip}
        </a>
      </nav>
      <TopBar label={words.topBarLabel} items={words.topBar} instead={words.topBarInstead} />
      <SiteHeader words={words.header} navigation={navigation} source={source} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      {footer}
      {bar}
    </>
  );
}
