/** What is fetched after a page's first screen. Until it is there, what was pre-rendered stays. */
import { lazyNamed } from "@/components/lazyNamed";

const load = () => import("./belowTheFold");

export const BottomBar = lazyNamed(load, "BottomBar");
export const DentistsSection = lazyNamed(load, "DentistsSection");
export const Footer = lazyNamed(load, "Footer");
export const LandingForm = lazyNamed(load, "LandingForm");
export const LandingReassurances = lazyNamed(load, "LandingReassurances");
export const MainParts = lazyNamed(load, "MainParts");
export const TreatmentHeroSection = lazyNamed(load, "TreatmentHeroSection");
export const TreatmentParts = lazyNamed(load, "TreatmentParts");
