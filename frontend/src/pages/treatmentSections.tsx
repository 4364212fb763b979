/** The sections of a page about one treatment, each with its content: one chunk, fetched after the page. */
import * as faq from "#content/faq.yaml";
import { course, hero, price as priceWords, questions, related, trail } from "#content/treatment-page.yaml";
import { words as card } from "#content/treatments.yaml";
import { treatmentPicture } from "@/lib/pictures";
import { useSamples } from "@/lib/settings";
import { usePageView } from "@/lib/usePageView";
import { Faq } from "@/sections/Faq";
import { Course } from "@/sections/treatment-page/Course";
import { OtherTreatments } from "@/sections/treatment-page/OtherTreatments";
import { PriceParts } from "@/sections/treatment-page/PriceParts";
import { TreatmentHero } from "@/sections/treatment-page/TreatmentHero";
import { treatmentContent } from "./treatmentContent";
import { allTreatments, type TreatmentPlace, treatmentPath } from "./treatmentPlaces";

const useTreatment = (place: TreatmentPlace) => treatmentContent(place, useSamples());

export function TreatmentHeroSection({ place, source }: { place: TreatmentPlace; source: string }) {
  const { treatment, currency, page } = useTreatment(place);
  usePageView(page.title);
  const { heading, lead } = page;
  const above = [
    { path: place.root || "/", text: trail.home },
    { path: allTreatments(place.root), text: trail.treatments },
  ];
  return (
    <TreatmentHero
      words={{ ...hero, heading, lead, trail: trail.label, card }}
      treatment={treatment}
      currency={currency}
      picture={treatmentPicture(treatment.image)}
      above={above}
      source={source}
    />
  );
}

export function PricePartsSection({ place }: { place: TreatmentPlace }) {
  const { treatment, currency, wasUntil } = useTreatment(place);
  return (
    <PriceParts
      words={priceWords}
      card={card}
      treatment={treatment}
      currency={currency}
      wasUntil={wasUntil}
    />
  );
}

export function CourseSection({ place }: { place: TreatmentPlace }) {
  const { treatment, page } = useTreatment(place);
  const { process, benefits } = treatment.details;
  const words = { ...course, benefits: card.benefits };
  return <Course words={words} steps={process} suits={page.suits} benefits={benefits} />;
}

/** The related treatments that have a price here, in the order in which the page names them. */
export function OtherTreatmentsSection({ place }: { place: TreatmentPlace }) {
  const { cards, currency, page } = useTreatment(place);
  const others = page.related.flatMap((id) => cards.find((other) => other.id === id) ?? []);
  return (
    <OtherTreatments
      words={related}
      treatments={others}
      currency={currency}
      picture={treatmentPicture}
      pageOf={(id) => treatmentPath(place.root, id)}
      all={allTreatments(place.root)}
    />
  );
}

export function TreatmentFaqSection({ place, source }: { place: TreatmentPlace; source: string }) {
  const { page } = useTreatment(place);
  return <Faq words={{ ...faq, heading: questions, faq: page.questions }} source={source} />;
}
