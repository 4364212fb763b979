import type { ReactNode } from "react";
import { HydrateLater } from "@/components/HydrateLater";
import { siteWords } from "@/content/site";
import { useSamples } from "@/lib/settings";
import { PageFrame } from "@/sections/PageFrame";
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
  const samples = useSamples();
  const footer = (
    <HydrateLater>
      <Footer source={sources.footer} />
    </HydrateLater>
  );
  const words = siteWords(samples);
  // Hidden at first.
  const bar = sources.bottomBar && (
    <HydrateLater>
      <BottomBar words={words.bottomBar} source={sources.bottomBar} />
    </HydrateLater>
  );
  return (
    <PageFrame words={words} footer={footer} bar={bar} source={sources.header} navigation={navigation}>
      {children}
    </PageFrame>
  );
}
