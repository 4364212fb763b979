import { picture as heroFile } from "pictures:hero/hero";
import { picture as smileFile } from "pictures:treatments/hollywood-smile";
import { pictures } from "#content/heroes.yaml";
import { reassurances } from "#content/lead-form.yaml";
import { trust } from "#content/site.yaml";
import { SelectiveHydration } from "@/components/SelectiveHydration";
import { trustCells } from "@/content/claims";
import { leadForm } from "@/content/leadForm";
import { homeHero, type OfferPlace, offerWords } from "@/content/sections";
import { navigation } from "@/content/site";
import { useSamples } from "@/lib/settings";
import { FormBlock } from "@/sections/FormBlock";
import { Hero } from "@/sections/Hero";
import { Offers } from "@/sections/Offers";
import { TrustStrip } from "@/sections/TrustStrip";
import { SitePage } from "./SitePage";
import {
  ClinicSection,
  FaqSection,
  JourneySection,
  ReasonsSection,
  ResultsSection,
  TestimonialsSection,
  TreatmentsSection,
  TurkeySection,
} from "./sections";

const SOURCES = { header: "header-landing", footer: "footer-landing", bottomBar: "sticky-footer-landing" };

const PICTURES = { ...pictures, largeFile: heroFile, smallFile: smileFile };

function OffersSection({ place }: { place: OfferPlace }) {
  const tone = place === "special-offers" ? "mint" : "paper";
  return <Offers id={place} words={offerWords(place, useSamples())} tone={tone} />;
}

/** The order follows the questions of a prospective patient. */
export function HomePage() {
  const samples = useSamples();
  return (
    <SitePage sources={SOURCES} navigation={navigation(samples)}>
      <Hero words={homeHero(samples)} source="hero-section-landing" pictures={PICTURES} />
      <TrustStrip label={trust} cells={trustCells(samples)} />
      <SelectiveHydration>
        <TreatmentsSection list="home" />
        <OffersSection place="special-offers" />
        <TestimonialsSection id="video-testimonials" />
        <ClinicSection />
        <ResultsSection />
        <TurkeySection list="home" source="why-choose-turkey" />
        <ReasonsSection />
        <JourneySection />
        <OffersSection place="special-promotions" />
        <FormBlock words={leadForm} reassurances={reassurances} source="contact-form-landing" />
        <FaqSection />
      </SelectiveHydration>
    </SitePage>
  );
}
