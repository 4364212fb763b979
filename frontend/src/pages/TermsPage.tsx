import { terms } from "@/content/terms";
import { LegalText } from "@/sections/legal/LegalText";
import { SitePage } from "./SitePage";

const SOURCES = { header: "header-terms", footer: "footer-terms", bottomBar: null };

export function TermsPage() {
  return (
    <SitePage sources={SOURCES}>
      <LegalText words={terms} values={{ email: terms.email }} />
    </SitePage>
  );
}
