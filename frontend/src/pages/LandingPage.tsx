import { heads } from "#content/heads.yaml";
import { reassurances } from "#content/lead-form.yaml";
import { trust } from "#content/site.yaml";
import { SelectiveHydration } from "@/components/SelectiveHydration";
import { trustCells } from "@/content/claims";
import { landingHero } from "@/content/heroes";
import { leadForm } from "@/content/leadForm";
import { navigation } from "@/content/site";
import { usePageView } from "@/lib/events";
import { useSamples } from "@/lib/settings";
import { LandingHero } from "@/sections/LandingHero";
import { TrustStrip } from "@/sections/TrustStrip";
import {
  ClinicSection,
  FaqSection,
  ImplantsSection,
  JourneySection,
  ReasonsSection,
  ResultsSection,
  TestimonialsSection,
  TreatmentsSection,
  TurkeySection,
} from "./lazySections";
import { SitePage } from "./SitePage";

const SOURCES = {
  header: "header-dental-implants",
  footer: "footer-dental-implants",
  bottomBar: "sticky-footer-dental-implants",
};

export function LandingPage() {
  usePageView(heads.landing.title);
  const samples = useSamples();
  return (
    <SitePage sources={SOURCES} navigation={navigation(samples)}>
      <LandingHero
        words={landingHero(samples)}
        form={leadForm}
        reassurances={reassurances}
        source="hero-section-dental-implants"
      />
      <TrustStrip label={trust} cells={trustCells(samples)} />
      <SelectiveHydration>
        <TreatmentsSection list="landing" />
        <TestimonialsSection id="patient-testimonials" />
        <ClinicSection />
        <ResultsSection />
        <TurkeySection list="landing" source="why-choose-turkey-dental-implants" />
        <ReasonsSection />
        <ImplantsSection />
        <JourneySection />
        <FaqSection />
      </SelectiveHydration>
    </SitePage>
  );
}
