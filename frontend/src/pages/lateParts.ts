/** What is fetched after a page's first screen. Until it is there, what was pre-rendered stays. */
import { late } from "@/components/late";

const load = () => import("./belowTheFold");

export const BottomBar = late(load, "BottomBar");
export const Footer = late(load, "Footer");
export const HomeParts = late(load, "HomeParts");
export const LandingForm = late(load, "LandingForm");
export const LandingParts = late(load, "LandingParts");
export const LandingReassurances = late(load, "LandingReassurances");
export const TreatmentHeroSection = late(load, "TreatmentHeroSection");
export const TreatmentParts = late(load, "TreatmentParts");
