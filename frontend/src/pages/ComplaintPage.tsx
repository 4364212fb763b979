import { late } from "@/components/late";
import { siteWords } from "@/content/site";
import { useSamples } from "@/lib/useSamples";
import { PageFrame } from "@/sections/PageFrame";

const SOURCES = { header: "header-complaint", footer: "footer-complaint", bottomBar: null };
/** Its rules are large: the form stands there at once, and they follow. */
const ComplaintBlock = late(
  "complaint",
  async () => (await import("./blocks/ComplaintBlock")).ComplaintBlock,
);

export function ComplaintPage() {
  return (
    <PageFrame words={siteWords(useSamples())} sources={SOURCES}>
      <ComplaintBlock />
    </PageFrame>
  );
}
