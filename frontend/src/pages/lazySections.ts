/** The sections below the first screen: one chunk, fetched after the page. Until then the pre-rendered sections stay. */
import { lazy } from "react";

const load = () => import("./sections");

export const ClinicSection = lazy(() => load().then(({ ClinicSection }) => ({ default: ClinicSection })));
export const DentistsSection = lazy(() =>
  load().then(({ DentistsSection }) => ({ default: DentistsSection })),
);
export const FaqSection = lazy(() => load().then(({ FaqSection }) => ({ default: FaqSection })));
export const FilmSection = lazy(() => load().then(({ FilmSection }) => ({ default: FilmSection })));
export const FormSection = lazy(() => load().then(({ FormSection }) => ({ default: FormSection })));
export const JourneySection = lazy(() => load().then(({ JourneySection }) => ({ default: JourneySection })));
export const ReasonsSection = lazy(() => load().then(({ ReasonsSection }) => ({ default: ReasonsSection })));
export const ResultsSection = lazy(() => load().then(({ ResultsSection }) => ({ default: ResultsSection })));
export const TestimonialsSection = lazy(() =>
  load().then(({ TestimonialsSection }) => ({ default: TestimonialsSection })),
);
export const TreatmentsSection = lazy(() =>
  load().then(({ TreatmentsSection }) => ({ default: TreatmentsSection })),
);
export const TurkeySection = lazy(() => load().then(({ TurkeySection }) => ({ default: TurkeySection })));
export const ImplantsSection = lazy(() =>
  load().then(({ ImplantsSection }) => ({ default: ImplantsSection })),
);
export const OffersSection = lazy(() => load().then(({ OffersSection }) => ({ default: OffersSection })));
export const LandingOffersSection = lazy(() =>
  load().then(({ LandingOffersSection }) => ({ default: LandingOffersSection })),
);
