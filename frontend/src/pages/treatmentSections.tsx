/** The sections of a page about one treatment, each with its content: one chunk, fetched after the page. */
import { brief, words as decide } from "#content/before-you-decide.yaml?brief";
import * as faq from "#content/faq.yaml";
import { ctas } from "#content/site.yaml";
import { breadcrumb, course, line, price as priceWords, questions, related } from "#content/treatment-page.yaml";
import { words as card } from "#content/treatments.yaml";
import { BelowTheFold } from "@/components/HydrationBoundary";
import { briefTopic } from "@/content/beforeYouDecide";
import { answered } from "@/content/questions";
import { treatmentPicture } from "@/lib/pictures";
import { useSamples } from "@/lib/settings";
import { usePageView } from "@/lib/usePageView";
import { Faq } from "@/sections/Faq";
import { Folds } from "@/sections/Folds";
import { BeforeYouDecide } from "@/sections/treatment-page/BeforeYouDecide";
import { Course } from "@/sections/treatment-page/Course";
import { OtherTreatments } from "@/sections/treatment-page/OtherTreatments";
import { PriceParts } from "@/sections/treatment-page/PriceParts";
import { TreatmentHero } from "@/sections/treatment-page/TreatmentHero";
import { DentistsSection, FormSection, ReasonsSection } from "./sections";
import { treatmentContent } from "./treatmentContent";
import { allTreatments, type TreatmentPlace, treatmentPath } from "./treatmentPlaces";

const useTreatment = (place: TreatmentPlace) => treatmentContent(place, useSamples());

export function TreatmentHeroSection({ place, source }: { place: TreatmentPlace; source: string }) {
  const { treatment, currency, wasUntil, page } = useTreatment(place);
  usePageView(page.title);
  const { heading, lead } = page;
  const above = [
    { path: place.root || "/", text: breadcrumb.home },
    { path: allTreatments(place.root), text: breadcrumb.treatments },
  ];
  return (
    <TreatmentHero
      words={{ heading, lead, line, primary: ctas.form, chat: ctas.chat, breadcrumb: breadcrumb.label, card }}
      treatment={treatment}
      currency={currency}
      sample={wasUntil === null}
      picture={treatmentPicture(treatment.image)}
      above={above}
      source={source}
    />
  );
}

function PricePartsSection({ place }: { place: TreatmentPlace }) {
  const { treatment, currency, wasUntil } = useTreatment(place);
  return <PriceParts words={priceWords} card={card} treatment={treatment} currency={currency} wasUntil={wasUntil} />;
}

function CourseSection({ place }: { place: TreatmentPlace }) {
  const { treatment, page } = useTreatment(place);
  const { process, benefits } = treatment.details;
  const words = { ...course, benefits: card.benefits };
  const days = process.map((text, place) => ({ label: page.days[place] ?? "", text }));
  return <Course words={words} days={days} suits={page.suits} benefits={benefits} />;
}

function BeforeYouDecideSection({ place }: { place: TreatmentPlace }) {
  const samples = useSamples();
  const topics = brief.map((topic) => briefTopic(topic, place.id, decide.ours, samples));
  const folds = topics.map(({ title, texts }) => ({
    question: title,
    answer: texts.map((text) => <p key={text}>{text}</p>),
  }));
  const sample = topics.some((topic) => topic.sample);
  return (
    <BeforeYouDecide words={decide} sample={sample}>
      <Folds folds={folds} />
    </BeforeYouDecide>
  );
}

/** The related treatments that have a price here, in the order in which the page names them. */
function OtherTreatmentsSection({ place }: { place: TreatmentPlace }) {
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

function TreatmentFaqSection({ place, source }: { place: TreatmentPlace; source: string }) {
  const { page } = useTreatment(place);
  const words = answered({ ...faq, heading: questions, faq: page.questions }, useSamples());
  return <Faq words={words} source={source} />;
}

export function TreatmentParts({ place, name }: { place: TreatmentPlace; name: string }) {
  return (
    <BelowTheFold>
      <DentistsSection />
      <PricePartsSection place={place} />
      <CourseSection place={place} />
      <BeforeYouDecideSection place={place} />
      <OtherTreatmentsSection place={place} />
      <ReasonsSection />
      <FormSection source={`contact-form-${name}`} />
      <TreatmentFaqSection place={place} source={`questions-${name}`} />
    </BelowTheFold>
  );
}
