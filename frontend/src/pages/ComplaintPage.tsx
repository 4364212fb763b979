import { late } from "@/components/late";
import { siteWords } from "@/content/site";
import { useSamples } from "@/lib/settings";
import { PageFrame } from "@/sections/PageFrame";
import { FooterBlock } from "./blocks/footer";

const SOURCES = { header: "header-complaint", bottomBar: null };
/** Its rules are large: the form stands there at once, and they follow. */
const ComplaintBlock = late(
  "complaint",
  async () => (await import("./blocks/ComplaintBlock")).ComplaintBlock,
);

export function ComplaintPage() {
  return (
    <PageFrame
      words={siteWords(useSamples())}
      footer={<FooterBlock source="footer-complaint" />}
      sources={SOURCES}
    >
      <ComplaintBlock />
    </PageFrame>
  );
}
