import { header, trust } from "#content/site.yaml";
import { navigation } from "#content/treatment-page.yaml";
import { HydrationBoundary } from "@/components/HydrationBoundary";
import { trustCells } from "@/content/claims";
import { useSamples } from "@/lib/settings";
import { Chips } from "@/sections/Chips";
import { TrustStrip } from "@/sections/TrustStrip";
import { TreatmentHeroSection, TreatmentParts } from "./lateParts";
import { SitePage } from "./SitePage";
import { type TreatmentPlace, treatmentPath } from "./treatmentPlaces";

const NAVIGATION = Object.entries(navigation).map(([id, text]) => ({ href: `#${id}`, text }));

/** A page about one treatment. Its chats' tags end with its address: "treatments-all-on-4". */
export function TreatmentPage(place: TreatmentPlace) {
  const samples = useSamples();
  const name = treatmentPath(place.root, place.id).slice(1).replaceAll("/", "-");
  const sources = { header: `header-${name}`, footer: `footer-${name}`, bottomBar: `sticky-footer-${name}` };
  // What stands behind a claim is on the page that has all treatments.
  const claims = trustCells(samples).map((cell) => ({ ...cell, evidence: null }));
  return (
    <SitePage sources={sources} navigation={NAVIGATION}>
      <HydrationBoundary>
        <TreatmentHeroSection place={place} source={`hero-section-${name}`} />
      </HydrationBoundary>
      <Chips label={header.nav} places={navigation} />
      <TrustStrip label={trust} cells={claims} />
      <HydrationBoundary>
        <TreatmentParts place={place} name={name} />
      </HydrationBoundary>
    </SitePage>
  );
}
