import { siteWords } from "@/content/site";
import { terms } from "@/content/terms";
import { useSamples } from "@/lib/settings";
import { LegalText } from "@/sections/legal/LegalText";
import { PageFrame } from "@/sections/PageFrame";
import { FooterBlock } from "./blocks/footer";

const SOURCES = { header: "header-terms", bottomBar: null };

export function TermsPage() {
  return (
    <PageFrame
      words={siteWords(useSamples())}
      footer={<FooterBlock source="footer-terms" />}
      sources={SOURCES}
    >
      <LegalText words={terms} values={{ email: terms.email }} />
    </PageFrame>
  );
}
