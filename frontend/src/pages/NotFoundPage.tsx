import { notFound } from "@/content/notFound";
import { siteWords } from "@/content/site";
import { useSamples } from "@/lib/settings";
import { NotFoundCard } from "@/sections/NotFoundCard";
import { PageFrame } from "@/sections/PageFrame";
import { FooterBlock } from "./blocks/footer";

const SOURCES = { header: "header-not-found", bottomBar: null };

export function NotFoundPage() {
  return (
    <PageFrame
      words={siteWords(useSamples())}
      footer={<FooterBlock source="footer-not-found" />}
      sources={SOURCES}
    >
      <NotFoundCard words={notFound} />
    </PageFrame>
  );
}
