import { notFound } from "@/content/notFound";
import { siteWords } from "@/content/site";
import { useSamples } from "@/lib/useSamples";
import { NotFoundCard } from "@/sections/NotFoundCard";
import { PageFrame } from "@/sections/PageFrame";

const SOURCES = { header: "header-not-found", footer: "footer-not-found", bottomBar: null };

export function NotFoundPage() {
  return (
    <PageFrame words={siteWords(useSamples())} sources={SOURCES}>
      <NotFoundCard words={notFound} />
    </PageFrame>
  );
}
