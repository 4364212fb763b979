import type { ReactNode } from "react";
import type { IconName } from "@/components/Icon";
import { BottomBar } from "./BottomBar";
import styles from "./PageFrame.module.css";
import { type FooterWords, SiteFooter } from "./SiteFooter";
import { SiteHeader } from "./SiteHeader";
import { TopBar } from "./TopBar";

export interface SiteWords {
  skip: string;
  topBar: readonly { icon: IconName; text: string }[];
  topBarLabel: string;
  header: { wordmark: { first: string; rest: string }; call: string; chat: string };
  footer: FooterWords;
  bottomBar: { label: string; chat: string; form: string };
}

interface Props {
  words: SiteWords;
  /** Tags of the chat links around the page. `bottomBar` null leaves the bar out. */
  sources: { header: string; footer: string; bottomBar: string | null };
  children: ReactNode;
}

/** What every page has around it. The fixed bar comes after the content, for keyboards and screen readers. */
export function PageFrame({ words, sources, children }: Props) {
  return (
    <>
      <a href="#content" className={styles.skip}>
        {words.skip}
      </a>
      <TopBar label={words.topBarLabel} items={words.topBar} />
      <SiteHeader words={words.header} source={sources.header} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter words={words.footer} source={sources.footer} />
      {sources.bottomBar && <BottomBar words={words.bottomBar} source={sources.bottomBar} />}
    </>
  );
}
