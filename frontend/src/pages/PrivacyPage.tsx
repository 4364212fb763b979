import { complaints, email } from "#content/clinic.yaml";
import { page } from "#content/legal.yaml";
import { lead, sections, title, version } from "#content/privacy.yaml";
import buttons from "@/components/button.module.css";
import { useSettings } from "@/lib/settings";
import { LegalText, versionLine } from "@/sections/legal/LegalText";
import { SitePage } from "./SitePage";

const SOURCES = { header: "header-privacy", footer: "footer-privacy", bottomBar: null };

export function PrivacyPage() {
  const { retentionMonths: months, addressDays: days } = useSettings();
  return (
    <SitePage sources={SOURCES}>
      <LegalText
        words={{ ...page, dated: versionLine(page, version), title, lead, sections }}
        values={{ months, days }}
        email={email}
      >
        <p>
          <a href={`mailto:${complaints.email}`} className={buttons.quiet}>
            {complaints.email}
          </a>
        </p>
      </LegalText>
    </SitePage>
  );
}
