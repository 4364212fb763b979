import { picture as heroFile } from "pictures:hero/hero";
import { picture as smileFile } from "pictures:treatments/hollywood-smile";
import { pictures } from "#content/heroes.yaml";
import { trust } from "#content/site.yaml";
import { HydrationBoundary } from "@/components/HydrationBoundary";
import { trustCells } from "@/content/claims";
import { homeHero } from "@/content/heroes";
import { navigation } from "@/content/site";
import { useSamples } from "@/lib/settings";
import { Hero } from "@/sections/Hero";
import { TrustStrip } from "@/sections/TrustStrip";
import { HomeParts } from "./lateParts";
import { SitePage } from "./SitePage";

const SOURCES = { header: "header-landing", footer: "footer-landing", bottomBar: "sticky-footer-landing" };

const PICTURES = { ...pictures, largeFile: heroFile, smallFile: smileFile };

export function HomePage() {
  const samples = useSamples();
  return (
    <SitePage sources={SOURCES} navigation={navigation(samples)}>
      <Hero words={homeHero(samples)} source="hero-section-landing" pictures={PICTURES} />
      <TrustStrip label={trust} cells={trustCells(samples)} />
      <HydrationBoundary>
        <HomeParts />
      </HydrationBoundary>
    </SitePage>
  );
}
