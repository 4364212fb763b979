import { heads } from "@/content/heads";
import { landing } from "@/content/landing";
import { leadForm } from "@/content/leadForm";
import { site } from "@/content/site";
import { usePageView } from "@/lib/usePageView";
import { LandingHero } from "@/sections/LandingHero";
import { PageFrame } from "@/sections/PageFrame";

const SOURCES = {
  header: "header-dental-implants",
  footer: "footer-dental-implants",
  bottomBar: "sticky-footer-dental-implants",
};

export function LandingPage() {
  usePageView(heads.landing.title);
  return (
    <PageFrame words={site} sources={SOURCES}>
      <LandingHero words={landing.hero} form={leadForm} source="hero-section-dental-implants" />
    </PageFrame>
  );
}
