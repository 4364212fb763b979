/** The first screens of the home page and the landing pages. Apart from the sections, which are fetched after them. */
import { home, landing } from "#content/heroes.yaml";
import { claimsAt } from "./claims";

export const homeHero = (samples: boolean) => ({ ...home, claims: claimsAt("hero-home", samples) });

export const landingHero = (samples: boolean) => ({ ...landing, claims: claimsAt("hero-landing", samples) });
