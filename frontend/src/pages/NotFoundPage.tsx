import { notFound } from "@/content/notFound";
import { site } from "@/content/site";
import { NotFoundCard } from "@/sections/NotFoundCard";
import { PageFrame } from "@/sections/PageFrame";

const SOURCES = { header: "header-not-found", footer: "footer-not-found", bottomBar: null };

export function NotFoundPage() {
  return (
    <PageFrame words={site} sources={SOURCES}>
      <NotFoundCard words={notFound} />
    </PageFrame>
  );
}
