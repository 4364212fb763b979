import { footerWords } from "@/content/footer";
import { useSamples } from "@/lib/settings";
import { SiteFooter } from "@/sections/SiteFooter";

export function FooterBlock({ source }: { source: string }) {
  return <SiteFooter words={footerWords(useSamples())} source={source} />;
}
