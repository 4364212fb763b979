/** The first screen of the home page. Apart from the sections, which are fetched after it. */
import { home, treatments } from "#content/heroes.yaml";
import { claimsAt } from "./claims";

export const homeHero = (samples: boolean) => ({
  ...home,
  treatments,
  claims: claimsAt("hero-home", samples),
});
