import { claims } from "./claims";

export const home = {
  hero: {
    overline: "Dental implants in Istanbul",
    title: "A new smile, planned before you fly",
    proof: `${claims.dentists.words}, ${claims.patientsPerYear.words}, and a ${claims.warranty.words} on every treatment.`,
    primary: "Get Free Consultation",
    chat: "Ask on WhatsApp",
    line: "A dentist reviews your case before you travel.",
  },
} as const;
