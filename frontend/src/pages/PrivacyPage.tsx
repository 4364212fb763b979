import { HydrateLater } from "@/components/HydrateLater";
import { late } from "@/components/late";
import { SitePage } from "./SitePage";

const SOURCES = { header: "header-privacy", footer: "footer-privacy", bottomBar: null };

/** Its words are fetched after the page; until then the pre-rendered ones stay. */
const PrivacyText = late(() => import("./PrivacyText"), "PrivacyText");

export function PrivacyPage() {
  return (
    <SitePage sources={SOURCES}>
      <HydrateLater>
        <PrivacyText />
      </HydrateLater>
    </SitePage>
  );
}
