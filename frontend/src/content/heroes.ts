/** The first screen of the home page. Apart from the sections, which are fetched after it. */
import { home } from "#content/heroes.yaml";
import { claimsAt } from "./claims";

export const homeHero = (samples: boolean) => ({ ...home, claims: claimsAt("hero-home", samples) });
