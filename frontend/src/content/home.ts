import { claims } from "./claims";

export const home = {
  head: {
    title: "Dental implants in Istanbul | Bosphorus Dental Implant Clinic",
    description:
      "Implants and crowns in Istanbul, planned with you before you fly. A written plan and price within 24 hours, and a 15 year warranty.",
  },
  hero: {
    overline: "Dental implants in Istanbul",
    title: "A new smile, planned before you fly",
    proof: `${claims.dentists.words}, ${claims.patientsPerYear.words}, and a ${claims.warranty.words} on every treatment.`,
    primary: "Get Free Consultation",
    chat: "Ask on WhatsApp",
    line: "A dentist reviews your case before you travel.",
  },
} as const;
