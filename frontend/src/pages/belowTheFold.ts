/** What comes after a page's first screen, on every kind of page: one part, fetched after the page. */
export { writeHead } from "@/lib/documentHead";
export { BottomBar } from "@/sections/BottomBar";
export { Footer } from "./Footer";
export { headOf } from "./heads";
export { LandingForm, LandingReassurances } from "./LandingForm";
export * from "./sections";
export {
  BeforeYouDecideSection,
  CourseSection,
  OtherTreatmentsSection,
  PricePartsSection,
  TreatmentFaqSection,
  TreatmentHeroSection,
} from "./treatmentSections";
