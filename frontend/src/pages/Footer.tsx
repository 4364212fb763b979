import { footerWords } from "@/content/footer";
import { useSamples } from "@/lib/settings";
import { SiteFooter } from "@/sections/SiteFooter";

/** The footer with its words: one chunk, fetched after the page. */
export function Footer({ source }: { source: string }) {
  return <SiteFooter words={footerWords(useSamples())} source={source} />;
}
