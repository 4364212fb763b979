import { claims } from "./claims";
import { clinic } from "./clinic";
import { legal } from "./legal";

/** Words of what every page has around it. */
export const site = {
  skip: "Skip to content",
  topBar: [
    { icon: "star", text: claims.rating.words },
    { icon: "people", text: claims.globalPatients.words },
    { icon: "shield", text: claims.years.words },
  ],
  topBarLabel: "The clinic in figures",
  header: { wordmark: clinic.name, call: "Call the clinic", chat: "WhatsApp" },
  footer: {
    wordmark: clinic.name,
    line: "Dental implants and crowns in Istanbul, planned with you before you travel.",
    contactTitle: "Contact",
    call: "Call",
    chat: "Write on WhatsApp",
    address: clinic.address,
    hours: clinic.hours,
    legal,
    small: `© ${clinic.fullName}. Sample content: figures on this site await the clinic's evidence.`,
  },
  bottomBar: { label: "Get in touch", chat: "Talk to Advisor", form: "Get Free Consultation" },
} as const;
