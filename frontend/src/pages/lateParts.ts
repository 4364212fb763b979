/** What is fetched after a page's first screen. Until it is there, what was pre-rendered stays. */
import { late } from "@/components/late";

const load = () => import("./belowTheFold");

export const BeforeYouDecideSection = late(load, "BeforeYouDecideSection");
export const BottomBar = late(load, "BottomBar");
export const ClinicSection = late(load, "ClinicSection");
export const CourseSection = late(load, "CourseSection");
export const DentistsSection = late(load, "DentistsSection");
export const FaqSection = late(load, "FaqSection");
export const FilmSection = late(load, "FilmSection");
export const Footer = late(load, "Footer");
export const FormSection = late(load, "FormSection");
export const ImplantsSection = late(load, "ImplantsSection");
export const JourneySection = late(load, "JourneySection");
export const LandingForm = late(load, "LandingForm");
export const LandingOffersSection = late(load, "LandingOffersSection");
export const LandingReassurances = late(load, "LandingReassurances");
export const OffersSection = late(load, "OffersSection");
export const OtherTreatmentsSection = late(load, "OtherTreatmentsSection");
export const PricePartsSection = late(load, "PricePartsSection");
export const ReasonsSection = late(load, "ReasonsSection");
export const ResultsSection = late(load, "ResultsSection");
export const TestimonialsSection = late(load, "TestimonialsSection");
export const TreatmentFaqSection = late(load, "TreatmentFaqSection");
export const TreatmentHeroSection = late(load, "TreatmentHeroSection");
export const TreatmentsSection = late(load, "TreatmentsSection");
export const TurkeySection = late(load, "TurkeySection");
