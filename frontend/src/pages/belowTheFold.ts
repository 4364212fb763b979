/** What comes after a page's first screen, on every kind of page: one part, fetched after the page. */
export { BottomBar } from "@/sections/BottomBar";
export { headOf, writeHead } from "./heads";
export * from "./sections";
export {
  BeforeYouDecideSection,
  CourseSection,
  OtherTreatmentsSection,
  PricePartsSection,
  TreatmentFaqSection,
  TreatmentHeroSection,
} from "./treatmentSections";
