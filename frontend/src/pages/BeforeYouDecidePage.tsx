import { HydrationBoundary } from "@/components/HydrationBoundary";
import { lazyNamed } from "@/components/lazyNamed";
import { SitePage } from "./SitePage";

const SOURCES = { header: "header-before-you-decide", footer: "footer-before-you-decide", bottomBar: null };

/** Its words are fetched after the page; until then the pre-rendered ones stay. */
const BeforeYouDecideText = lazyNamed(() => import("./BeforeYouDecideText"), "BeforeYouDecideText");

export function BeforeYouDecidePage() {
  return (
    <SitePage sources={SOURCES}>
      <HydrationBoundary>
        <BeforeYouDecideText />
      </HydrationBoundary>
    </SitePage>
  );
}
