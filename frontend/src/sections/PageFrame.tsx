import { lazy, type ReactNode } from "react";
import { HydrateLater } from "@/components/HydrateLater";
import type { IconName } from "@/components/Icon";
import { SectionLink } from "@/components/SectionLink";
import styles from "./PageFrame.module.css";
import { SiteHeader } from "./SiteHeader";
import { TopBar } from "./TopBar";

/** Hidden at first: its code is fetched after the page. */
const BottomBar = lazy(() => import("./BottomBar").then(({ BottomBar }) => ({ default: BottomBar })));

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
  /** Tags of the chat links around the page. `bottomBar` null leaves the bar out. */
  sources: { header: string; bottomBar: string | null };
  footer: ReactNode;
  /** Sections of this page that the header links to. */
  navigation?: readonly { href: string; text: string }[];
  children: ReactNode;
}

/** The frame of every page. The fixed bar follows the content in the document, for keyboards and screen readers. */
export function PageFrame({ words, sources, footer, navigation = [], children }: Props) {
  return (
    <>
      {/* A landmark of its own, because the cookie banner may come before it. */}
      <nav aria-label={words.skip}>
        <SectionLink href="#content" className={styles.skip}>
          {words.skip}
        </SectionLink>
      </nav>
      <TopBar label={words.topBarLabel} items={words.topBar} instead={words.topBarInstead} />
      <SiteHeader words={words.header} navigation={navigation} source={sources.header} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      {footer}
      {sources.bottomBar && (
        <HydrateLater>
          <BottomBar words={words.bottomBar} source={sources.bottomBar} />
        </HydrateLater>
      )}
    </>
  );
}
