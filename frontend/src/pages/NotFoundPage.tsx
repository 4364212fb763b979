import { notFound } from "#content/site.yaml";
import { NotFoundCard } from "@/sections/NotFoundCard";
import { SitePage } from "./SitePage";

const SOURCES = { header: "header-not-found", footer: "footer-not-found", bottomBar: null };

export function NotFoundPage() {
  return (
    <SitePage sources={SOURCES}>
      <NotFoundCard words={notFound} />
    </SitePage>
  );
}
