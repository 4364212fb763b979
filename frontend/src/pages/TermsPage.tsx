import { email } from "#content/clinic.yaml";
import { page } from "#content/legal.yaml";
import { lead, sections, title, version } from "#content/terms.yaml";
import { LegalText, versionLine } from "@/sections/legal/LegalText";
import { SitePage } from "./SitePage";

const SOURCES = { header: "header-terms", footer: "footer-terms", bottomBar: null };

export function TermsPage() {
  return (
    <SitePage sources={SOURCES}>
      <LegalText
        words={{ ...page, dated: versionLine(page, version), title, lead, sections }}
        values={{}}
        email={email}
      />
    </SitePage>
  );
}
