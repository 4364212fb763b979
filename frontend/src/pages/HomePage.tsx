import { picture as heroFile } from "pictures:hero/hero";
import { picture as smileFile } from "pictures:treatments/hollywood-smile";
import { heroPictures, homeHero } from "@/content/home";
import { navigation, siteWords } from "@/content/site";
import { trustCells, trustLabel } from "@/content/trust";
import { useSamples } from "@/lib/settings";
import { Hero } from "@/sections/Hero";
import { PageFrame } from "@/sections/PageFrame";
import { TrustStrip } from "@/sections/TrustStrip";
import {
  FaqBlock,
  FormBlock,
  JourneyBlock,
  PromotionsBlock,
  ReasonsBlock,
  SpecialOffersBlock,
  TreatmentsBlock,
  TurkeyBlock,
} from "./blocks/advice";
import { Results, Showcase, Voices } from "./blocks/evidence";
import { FooterBlock } from "./blocks/footer";

const SOURCES = { header: "header-landing", bottomBar: "sticky-footer-landing" };

const PICTURES = { ...heroPictures, largeFile: heroFile, smallFile: smileFile };

/** Order: the questions of somebody who is thinking about it. Blocks get plain values only, which never change. */
export function HomePage() {
  const samples = useSamples();
  return (
    <PageFrame
      words={siteWords(samples)}
      footer={<FooterBlock source="footer-landing" />}
      sources={SOURCES}
      navigation={navigation(samples)}
    >
      <Hero words={homeHero(samples)} source="hero-section-landing" pictures={PICTURES} />
      <TrustStrip label={trustLabel} cells={trustCells(samples)} />
      <TreatmentsBlock list="home" />
      <SpecialOffersBlock place="special-offers" />
      <Voices id="video-testimonials" />
      <Showcase />
      <Results />
      <TurkeyBlock list="home" source="why-choose-turkey" />
      <ReasonsBlock />
      <JourneyBlock />
      <PromotionsBlock place="special-promotions" />
      <FormBlock source="contact-form-landing" />
      <FaqBlock />
    </PageFrame>
  );
}
