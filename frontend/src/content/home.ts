import { claimsAt } from "./claims";

export const home = {
  hero: {
    overline: "Dental implants in Istanbul",
    title: "A new smile, planned before you fly",
    proof: "A dentist's written plan with its price, before you book a flight.",
    primary: "Get Free Consultation",
    chat: "Ask on WhatsApp",
    line: "A dentist reviews your case before you travel.",
  },
} as const;

export const heroPictures = {
  large: "Illustration: an implant in the jaw, with its abutment and its crown above it",
  small: "Illustration: upper teeth restored as a Hollywood smile",
  caption: "Hollywood smile",
};

export const homeHero = (samples: boolean) => ({ ...home.hero, claims: claimsAt("hero-home", samples) });
