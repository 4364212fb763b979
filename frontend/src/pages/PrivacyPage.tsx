import buttons from "@/components/button.module.css";
import { complaintLink, privacy } from "@/content/privacy";
import { useRetention } from "@/lib/useRetention";
import { LegalText } from "@/sections/legal/LegalText";
import { SitePage } from "./SitePage";

const SOURCES = { header: "header-privacy", footer: "footer-privacy", bottomBar: null };

export function PrivacyPage() {
  const { months, days } = useRetention();
  return (
    <SitePage sources={SOURCES}>
      <LegalText words={privacy} values={{ months, days, email: privacy.email }}>
        <p>
          <a href={complaintLink.href} className={buttons.quiet}>
            {complaintLink.text}
          </a>
        </p>
      </LegalText>
    </SitePage>
  );
}
