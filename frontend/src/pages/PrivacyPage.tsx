import buttons from "@/components/button.module.css";
import { complaintLink, privacy } from "@/content/privacy";
import { siteWords } from "@/content/site";
import { useRetention } from "@/lib/retention";
import { useSamples } from "@/lib/settings";
import { LegalText } from "@/sections/legal/LegalText";
import { PageFrame } from "@/sections/PageFrame";
import { FooterBlock } from "./blocks/footer";

const SOURCES = { header: "header-privacy", bottomBar: null };

export function PrivacyPage() {
  const { months, days } = useRetention();
  return (
    <PageFrame
      words={siteWords(useSamples())}
      footer={<FooterBlock source="footer-privacy" />}
      sources={SOURCES}
    >
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
