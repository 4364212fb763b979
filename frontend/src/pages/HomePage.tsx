import { picture as heroFile } from "pictures:hero/hero";
import { pictures } from "#content/heroes.yaml";
import { chips, header, trust } from "#content/site.yaml";
import { HydrationBoundary } from "@/components/HydrationBoundary";
import { trustCells } from "@/content/claims";
import { homeHero } from "@/content/heroes";
import { navigation } from "@/content/site";
import { useSamples } from "@/lib/settings";
import { Chips } from "@/sections/Chips";
import { Hero } from "@/sections/Hero";
import { TrustStrip } from "@/sections/TrustStrip";
import { DentistsSection, MainParts } from "./lateParts";
import { SitePage } from "./SitePage";

const SOURCES = { header: "header-landing", footer: "footer-landing", bottomBar: "sticky-footer-landing" };

const PICTURE = { file: heroFile, alt: pictures.large };

export function HomePage() {
  const samples = useSamples();
  return (
    <SitePage sources={SOURCES} navigation={navigation(samples)}>
      <Hero words={homeHero(samples)} source="hero-section-landing" picture={PICTURE} />
      <Chips label={header.nav} places={chips} />
      <HydrationBoundary>
        <DentistsSection strip />
      </HydrationBoundary>
      <TrustStrip label={trust} cells={trustCells(samples)} />
      <HydrationBoundary>
        <MainParts />
      </HydrationBoundary>
    </SitePage>
  );
}
