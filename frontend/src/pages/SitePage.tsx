import type { ReactNode } from "react";
import { HydrationBoundary } from "@/components/HydrationBoundary";
import { siteWords } from "@/content/site";
import { useSamples } from "@/lib/settings";
import { SiteHeader } from "@/sections/SiteHeader";
import { BottomBar, Footer } from "./lateParts";

interface Props {
  /** Tags of the chat links around the page. `bottomBar` null leaves the bar out. */
  sources: { header: string; footer: string; bottomBar: string | null };
  /** Places of this page that the header links to. */
  navigation?: readonly { href: string; text: string }[];
  children: ReactNode;
}

/** The header, footer and bars that every page has, with their words. */
export function SitePage({ sources, navigation = [], children }: Props) {
  const words = siteWords(useSamples());
  return (
    <>
      <SiteHeader words={words} source={sources.header} navigation={navigation} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <HydrationBoundary>
        <Footer source={sources.footer} />
      </HydrationBoundary>
      {/* Fixed: it follows the content in the document, for keyboards and screen readers. Hidden at first. */}
      {sources.bottomBar && (
        <HydrationBoundary>
          <BottomBar words={words.bottomBar} source={sources.bottomBar} />
        </HydrationBoundary>
      )}
    </>
  );
}
