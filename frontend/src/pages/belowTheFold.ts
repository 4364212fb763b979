/** What comes after a page's first screen, on every kind of page: one part, fetched after the page. */
export { BottomBar } from "@/sections/BottomBar";
export { headOf, writeHead } from "./heads";
export { DentistsSection, Footer, LandingForm, LandingReassurances, MainParts } from "./sections";
export { TreatmentHeroSection, TreatmentParts } from "./treatmentSections";
