import { lazy, type ReactNode } from "react";
import { HydrateLater } from "@/components/HydrateLater";
import { siteWords } from "@/content/site";
import { useSamples } from "@/lib/settings";
import { PageFrame } from "@/sections/PageFrame";

const Footer = lazy(() => import("./Footer").then(({ Footer }) => ({ default: Footer })));

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
  return (
    <PageFrame words={siteWords(samples)} footer={footer} sources={sources} navigation={navigation}>
      {children}
    </PageFrame>
  );
}
