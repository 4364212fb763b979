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

export const heroPicture = {
  alt: "Illustration: upper teeth restored as a Hollywood smile",
  caption: "Illustration: Hollywood smile",
};

export const homeHero = (samples: boolean) => ({ ...home.hero, claims: claimsAt("hero-home", samples) });
