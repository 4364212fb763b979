import { picture as heroFile } from "pictures:hero/hero";
import { pictures, treatments } from "#content/heroes.yaml";
import { chips, ctas, header, trust } from "#content/site.yaml";
import { HydrationBoundary } from "@/components/HydrationBoundary";
import { claimsAt, trustCells } from "@/content/claims";
import { navigation } from "@/content/site";
import { useSamples } from "@/lib/settings";
import { usePageView } from "@/lib/usePageView";
import { Chips } from "@/sections/Chips";
import { LandingHero } from "@/sections/LandingHero";
import { TrustStrip } from "@/sections/TrustStrip";
import type { Landing } from "./contentPages";
import { DentistsSection, LandingForm, LandingReassurances, MainParts } from "./lateParts";
import { SitePage } from "./SitePage";

const PICTURE = { file: heroFile, alt: pictures.large };

/** Its name is its address without the slash, and the end of its chats' tags. */
export function LandingPage({ name, head, hero, prices }: Landing) {
  usePageView(head.title);
  const samples = useSamples();
  const sources = { header: `header-${name}`, footer: `footer-${name}`, bottomBar: `sticky-footer-${name}` };
  const source = `hero-section-${name}`;
  const claims = claimsAt("hero-landing", samples);
  const primary = !hero.rests || claims.some(({ id }) => id === hero.rests) ? hero.primary : ctas.form;
  return (
    <SitePage sources={sources} navigation={navigation(samples)}>
      <LandingHero
        words={{ ...hero, primary, chat: ctas.chat, treatments, claims }}
        source={source}
        picture={PICTURE}
        form={<LandingForm />}
        person={<DentistsSection strip />}
        reassurances={<LandingReassurances source={source} />}
      />
      <Chips label={header.nav} places={chips} />
      <TrustStrip label={trust} cells={trustCells(samples)} />
      <HydrationBoundary>
        <MainParts landing={{ name, prices }} />
      </HydrationBoundary>
    </SitePage>
  );
}
