import { claims } from "./claims";

export const landing = {
  head: {
    title: "Dental implants in Turkey | Bosphorus Dental Implant Clinic",
    description:
      "Book a free X-ray or check-up in Istanbul. A dentist's written plan with a price in euros within 24 hours, and a 15 year warranty.",
  },
  hero: {
    overline: "Dental implants in Turkey",
    title: "Strong teeth again, with a price you know first",
    proof: `${claims.dentists.words}, ${claims.languages.words}, and a ${claims.warranty.words} on every treatment.`,
    primary: "Book Your Free X-Ray or Check-Up",
    chat: "Ask on WhatsApp",
    line: "A dentist reviews your case before you travel.",
  },
} as const;
