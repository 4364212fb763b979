import { siteWords } from "@/content/site";
import { terms } from "@/content/terms";
import { useSamples } from "@/lib/useSamples";
import { LegalText } from "@/sections/legal/LegalText";
import { PageFrame } from "@/sections/PageFrame";

const SOURCES = { header: "header-terms", footer: "footer-terms", bottomBar: null };

export function TermsPage() {
  return (
    <PageFrame words={siteWords(useSamples())} sources={SOURCES}>
      <LegalText words={terms} values={{ email: terms.email }} />
    </PageFrame>
  );
}
