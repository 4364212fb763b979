import { complaints, email } from "#content/clinic.yaml";
import { page } from "#content/legal.yaml";
import { companyInWords } from "@/content/footer";
import { useSamples, useSettings } from "@/lib/settings";
import { LegalText, MailLink, versionLine } from "@/sections/legal/LegalText";
import type { LongText } from "./contentPages";
import { SitePage } from "./SitePage";

/** The page of a text, whose name is its address and the end of its chats' tags. */
export function textPage(name: string, text: LongText) {
  const sources = { header: `header-${name}`, footer: `footer-${name}`, bottomBar: null };
  const mail = { email: <MailLink to={email} />, complaints: <MailLink to={complaints.email} /> };
  return function TextPage() {
    const { retentionMonths: months, addressDays: days } = useSettings();
    const controller = companyInWords(useSamples()) ?? page.controller;
    return (
      <SitePage sources={sources}>
        <LegalText
          words={{ ...page, ...text, dated: versionLine(page, text.version) }}
          values={{ ...mail, controller, months, days }}
        />
      </SitePage>
    );
  };
}
