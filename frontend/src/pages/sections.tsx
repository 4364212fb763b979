/** What the home page and the landing pages have below their first screens, each section with its content. */
import { words as decide } from "#content/before-you-decide.yaml?brief";
import { brands, words as implants } from "#content/brands.yaml";
import { cases, words as results } from "#content/cases.yaml";
import { dentists, words as dentistWords } from "#content/dentists.yaml";
import * as faq from "#content/faq.yaml";
import { film, gallery, words as showcase, tour } from "#content/gallery.yaml";
import * as journey from "#content/journey.yaml";
import { beside, reassurances } from "#content/lead-form.yaml";
import { offers } from "#content/offers.yaml";
import { reasons, words as reasonWords } from "#content/reasons.yaml";
import { ctas } from "#content/site.yaml";
import { testimonials, words as testimonialWords } from "#content/testimonials.yaml";
import { words as treatmentWords } from "#content/treatments.yaml";
import { BelowTheFold } from "@/components/HydrationBoundary";
import { Points } from "@/components/Points";
import { clinicFigures, shown as withEvidence } from "@/content/claims";
import { footerWords } from "@/content/footer";
import { leadForm } from "@/content/leadForm";
import { itemsWithClaims, restOnSamples, withClaims } from "@/content/namedClaims";
import { answered } from "@/content/questions";
import { type OfferPlace, offerWords, treatmentCards, turkeyWords } from "@/content/sections";
import { LeadFormCard } from "@/features/lead-form/LeadForm";
import { casePicture, dentistPicture, filmPoster, roomPicture, treatmentPicture, uprightPoster } from "@/lib/pictures";
import { useSamples } from "@/lib/settings";
import { useRunning } from "@/lib/useRunning";
import { videoInBothShapes, videoSource } from "@/lib/videos";
import { BeforeAfterGallery } from "@/sections/before-after/BeforeAfterGallery";
import { ClinicShowcase } from "@/sections/clinic-showcase/ClinicShowcase";
import { Dentists } from "@/sections/Dentists";
import { Faq } from "@/sections/Faq";
import { FormBlock } from "@/sections/FormBlock";
import { Journey } from "@/sections/Journey";
import { Offers } from "@/sections/Offers";
import { ImplantsMarquee } from "@/sections/premium-implants/ImplantsMarquee";
import { Reasons } from "@/sections/Reasons";
import { Reassurances } from "@/sections/Reassurances";
import { SiteFooter } from "@/sections/SiteFooter";
import { Treatments } from "@/sections/Treatments";
import { BeforeYouDecide } from "@/sections/treatment-page/BeforeYouDecide";
import { VideoTestimonials } from "@/sections/video-testimonials/VideoTestimonials";
import { WhyTurkey } from "@/sections/WhyTurkey";
import ui from "@/styles/ui.module.css";
import type { Landing } from "./contentPages";
import { treatmentPath } from "./treatmentPlaces";

/** `root`: the address below which the treatments' own pages are. */
function TreatmentsSection({ list, root }: { list: string; root: string }) {
  const cards = treatmentCards(list, useSamples());
  const pageOf = (id: string) => treatmentPath(root, id);
  const words = { ...treatmentWords, ask: ctas.form };
  return <Treatments words={words} picture={treatmentPicture} pageOf={pageOf} {...cards} />;
}

/** The initials of a name's first and last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => word?.[0]?.toLocaleUpperCase("en") ?? "").join("");
}

const TESTIMONIALS = testimonials.map(({ poster, video, ...shown }) => ({
  ...shown,
  initials: initialsOf(shown.name),
  poster: poster === null ? null : filmPoster(poster),
  video: videoSource(video),
}));

function TestimonialsSection({ id }: { id: string }) {
  const shown = withEvidence(TESTIMONIALS, useSamples());
  return shown.length > 0 && <VideoTestimonials id={id} words={testimonialWords} testimonials={shown} />;
}

const filmNamed = (name: string) => ({
  video: videoInBothShapes(name),
  poster: filmPoster(name),
  upright: uprightPoster(name),
});
/** The clinic itself, where it has been filmed or drawn, and how an implant works. What is drawn has no sound. */
const FILMS = [
  tour && {
    id: "walk",
    ...(tour.sample ? showcase.tour.illustrated : showcase.tour),
    muted: tour.sample,
    ...filmNamed(tour.film),
  },
  { id: "how-an-implant-works", ...showcase.film, muted: true, ...filmNamed(film) },
].filter((shown) => shown !== null);
const IMAGES = gallery.map(({ image, ...shown }) => ({ ...shown, file: roomPicture(image) }));
const PHOTOGRAPHS = IMAGES.filter(({ sample }) => !sample);

/** Until there is a photograph, every page shows the illustrations of the rooms, and calls them so. */
function ClinicSection() {
  const samples = useSamples();
  const images = samples || PHOTOGRAPHS.length === 0 ? IMAGES : PHOTOGRAPHS;
  const heading = images.some(({ sample }) => sample) ? showcase.illustrated : {};
  return (
    <ClinicShowcase
      id="clinic-showcase"
      words={{ ...showcase, ...heading }}
      images={images}
      figures={clinicFigures(samples)}
      films={FILMS}
    />
  );
}

const DENTISTS = dentists.map(({ portrait, ...dentist }) => ({
  ...dentist,
  initials: initialsOf(dentist.name),
  portrait: portrait === null ? null : dentistPicture(portrait),
}));

/** Nothing in production until the clinic has named somebody. `strip`: below a page's hero, without a heading. */
export function DentistsSection({ strip = false }: { strip?: boolean }) {
  const shown = withEvidence(DENTISTS, useSamples());
  return shown.length > 0 && <Dentists words={dentistWords} dentists={shown} strip={strip} />;
}

function RisksSection() {
  const { risks, more } = decide;
  return (
    <BeforeYouDecide words={{ section: risks, more }}>
      <Points lines={risks.lines} sign={null} className={ui.stack} />
    </BeforeYouDecide>
  );
}

const SMILE = treatmentPicture("hollywood-smile");

/** Nobody's stars and country are shown before a patient has agreed in writing. */
const CASES = cases.map(({ patientName, location, rating, before, after, consent, ...shown }) => ({
  ...shown,
  patient: consent === null ? null : { name: patientName, location, rating },
  before: casePicture(before),
  after: casePicture(after),
}));

function ResultsSection() {
  const shown = withEvidence(CASES, useSamples());
  return (
    shown.length > 0 && <BeforeAfterGallery id="before-after-gallery" words={results} cases={shown} smile={SMILE} />
  );
}

function TurkeySection({ list, source }: { list: string; source: string }) {
  return <WhyTurkey words={turkeyWords(list, useSamples())} source={source} />;
}

const REASONS_ARE_SAMPLES = restOnSamples(reasons.map(({ text }) => text));

export function ReasonsSection() {
  const shown = itemsWithClaims(reasons, "text", useSamples());
  const words = { heading: reasonWords.why, reasons: shown };
  return shown.length > 0 && <Reasons words={words} sample={REASONS_ARE_SAMPLES} />;
}

const JOURNEY_IS_SAMPLE = restOnSamples(journey.steps.map(({ text }) => text));

function JourneySection() {
  const samples = useSamples();
  const steps = journey.steps.map((step) => ({ ...step, text: withClaims(step.text, samples) }));
  return <Journey words={{ ...journey, steps }} sample={JOURNEY_IS_SAMPLE} />;
}

function FaqSection({ source }: { source: string }) {
  return <Faq words={answered(faq, useSamples())} source={source} />;
}

/** The words of the form. Its title speaks of an offer only while one runs, wherever it is shown. */
function useFormWords() {
  const { running } = useRunning(withEvidence(offers, useSamples()));
  return running.length > 0 ? leadForm : { ...leadForm, title: leadForm.titleAlone };
}

/** The form of a landing page's hero. */
export function LandingForm() {
  return <LeadFormCard words={useFormWords()} />;
}

export function LandingReassurances({ source }: { source: string }) {
  const lines = itemsWithClaims(reassurances, "text", useSamples());
  return <Reassurances title={beside} lines={lines} source={source} />;
}

export function FormSection({ source }: { source: string }) {
  const aside = { title: beside, lines: itemsWithClaims(reassurances, "text", useSamples()) };
  return <FormBlock words={useFormWords()} beside={aside} source={source} />;
}

function OffersSection({ place }: { place: OfferPlace }) {
  return <Offers id={place} words={offerWords(place, useSamples())} />;
}

/** Only where the landing page has offers: unlike the home page, it has no path to them. */
function LandingOffersSection({ name }: { name: string }) {
  const words = offerWords("special-offers", useSamples(), name);
  return words.offers.length > 0 && <Offers id="special-offers" words={words} />;
}

function ImplantsSection() {
  const samples = useSamples();
  const shown = withEvidence(brands, samples);
  const words = { ...implants, footer: withClaims(implants.footer, samples) };
  return shown.length > 0 && <ImplantsMarquee id="premium-implants" words={words} brands={shown} />;
}

export function Footer({ source }: { source: string }) {
  return <SiteFooter words={footerWords(useSamples())} source={source} />;
}

/**
 * The order follows the questions of a prospective patient. Drawn rooms answer none of them: in production they wait until
 * everything else is said.
 */
export function MainParts({ landing }: { landing?: Pick<Landing, "name" | "prices"> }) {
  const drawn = !useSamples() && PHOTOGRAPHS.length === 0;
  const list = landing?.prices ?? "home";
  return (
    <BelowTheFold>
      <TreatmentsSection list={list} root={landing ? `/${landing.name}` : ""} />
      {landing ? <LandingOffersSection name={landing.name} /> : <OffersSection place="special-offers" />}
      <RisksSection />
      <TestimonialsSection id={landing ? "patient-testimonials" : "video-testimonials"} />
      {!drawn && <ClinicSection />}
      <ResultsSection />
      <TurkeySection list={list} source={`why-choose-turkey${landing ? `-${landing.name}` : ""}`} />
      <ReasonsSection />
      {landing && <ImplantsSection />}
      <JourneySection />
      {!landing && <OffersSection place="special-promotions" />}
      {!landing && <FormSection source="contact-form-landing" />}
      {drawn && <ClinicSection />}
      <FaqSection source={`questions-${landing?.name ?? "landing"}`} />
    </BelowTheFold>
  );
}
