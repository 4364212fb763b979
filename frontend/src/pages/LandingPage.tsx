import { heads } from "@/content/heads";
import { landingHero } from "@/content/landing";
import { leadForm, reassurances } from "@/content/leadForm";
import { navigation, siteWords } from "@/content/site";
import { trustCells, trustLabel } from "@/content/trust";
import { usePageView } from "@/lib/events";
import { useSamples } from "@/lib/settings";
import { LandingHero } from "@/sections/LandingHero";
import { PageFrame } from "@/sections/PageFrame";
import { TrustStrip } from "@/sections/TrustStrip";
import { FaqBlock, JourneyBlock, ReasonsBlock, TreatmentsBlock, TurkeyBlock } from "./blocks/advice";
import { Implants, Results, Showcase, Voices } from "./blocks/evidence";
import { FooterBlock } from "./blocks/footer";

const SOURCES = {
  header: "header-dental-implants",
  bottomBar: "sticky-footer-dental-implants",
};

export function LandingPage() {
  usePageView(heads.landing.title);
  const samples = useSamples();
  return (
    <PageFrame
      words={siteWords(samples)}
      footer={<FooterBlock source="footer-dental-implants" />}
      sources={SOURCES}
      navigation={navigation(samples)}
    >
      <LandingHero
        words={landingHero(samples)}
        form={leadForm}
        reassurances={reassurances}
        source="hero-section-dental-implants"
      />
      <TrustStrip label={trustLabel} cells={trustCells(samples)} />
      <TreatmentsBlock list="landing" />
      <Voices id="patient-testimonials" />
      <Showcase />
      <Results />
      <TurkeyBlock list="landing" source="why-choose-turkey-dental-implants" />
      <ReasonsBlock />
      <Implants />
      <JourneyBlock />
      <FaqBlock />
    </PageFrame>
  );
}
