import { claims } from "./claims";

export const landing = {
  hero: {
    overline: "Dental implants in Turkey",
    title: "Strong teeth again, with a price you know first",
    proof: `${claims.dentists.words}, ${claims.languages.words}, and a ${claims.warranty.words} on every treatment.`,
    primary: "Book Your Free X-Ray or Check-Up",
    chat: "Ask on WhatsApp",
    line: "A dentist reviews your case before you travel.",
  },
} as const;
