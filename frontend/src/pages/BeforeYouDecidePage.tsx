import { HydrateLater } from "@/components/HydrateLater";
import { late } from "@/components/late";
import { SitePage } from "./SitePage";

const SOURCES = { header: "header-before-you-decide", footer: "footer-before-you-decide", bottomBar: null };

/** Its words are fetched after the page; until then the pre-rendered ones stay. */
const BeforeYouDecideText = late(() => import("./BeforeYouDecideText"), "BeforeYouDecideText");

export function BeforeYouDecidePage() {
  return (
    <SitePage sources={SOURCES}>
      <HydrateLater>
        <BeforeYouDecideText />
      </HydrateLater>
    </SitePage>
  );
}
