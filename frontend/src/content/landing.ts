import { claimsAt } from "./claims";

export const landing = {
  hero: {
    overline: "Dental implants in Turkey",
    title: "Strong teeth again, at a price you know first",
    proof: "A dentist's written plan with its price in euros, before you book a flight.",
    primary: "Book Your Free X-Ray or Check-Up",
    chat: "Ask on WhatsApp",
    line: "A dentist reviews your case before you travel.",
  },
} as const;

export const landingHero = (samples: boolean) => ({
  ...landing.hero,
  claims: claimsAt("hero-landing", samples),
});
