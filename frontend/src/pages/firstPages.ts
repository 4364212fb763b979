/** The pages that advertisements lead to, without what is below their first screens: one part. */
export { HomePage } from "./HomePage";
export { LandingPage } from "./LandingPage";
export { TreatmentPage } from "./TreatmentPage";
