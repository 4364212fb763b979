import { real as casesAreReal } from "#content/cases.yaml?real";
import { name } from "#content/clinic.yaml";
import { real as clinicIsReal } from "#content/gallery.yaml?real";
import { claimsAt } from "./claims";

/** Words of what every page has around it. */
export const siteWords = (samples: boolean) => ({
  skip: "Skip to content",
  topBar: claimsAt("top-bar", samples),
  topBarLabel: "The clinic in figures",
  topBarInstead: "Dental implants and crowns in Istanbul",
  header: { wordmark: name, call: "Call the clinic", chat: "WhatsApp", nav: "Sections" },
  bottomBar: { label: "Get in touch", chat: "Talk to Advisor", form: "Get Free Consultation" },
});

const PLACES = [
  { href: "#premium-treatments", text: "Treatments", real: true },
  { href: "#clinic-showcase", text: "Clinic", real: clinicIsReal },
  { href: "#before-after-gallery", text: "Results", real: casesAreReal },
  { href: "#why-choose-turkey", text: "Why Turkey", real: true },
  { href: "#patient-journey", text: "Journey", real: true },
] as const;

/** The places that the header leads to on wide screens, in the page's order: five, or those that are shown. */
export const navigation = (samples: boolean) => PLACES.filter(({ real }) => samples || real);
