import buttons from "@/components/button.module.css";
import { complaintLink, privacy } from "@/content/privacy";
import { siteWords } from "@/content/site";
import { useRetention } from "@/lib/useRetention";
import { useSamples } from "@/lib/useSamples";
import { LegalText } from "@/sections/legal/LegalText";
import { PageFrame } from "@/sections/PageFrame";

const SOURCES = { header: "header-privacy", footer: "footer-privacy", bottomBar: null };

export function PrivacyPage() {
  const { months, days } = useRetention();
  return (
    <PageFrame words={siteWords(useSamples())} sources={SOURCES}>
      <LegalText words={privacy} values={{ months, days, email: privacy.email }}>
        <p>
          <a href={complaintLink.href} className={buttons.quiet}>
            {complaintLink.text}
          </a>
        </p>
      </LegalText>
    </PageFrame>
  );
}
