/** The first screen of the home page. Apart from the sections, which are fetched after it. */
import { home, treatments } from "#content/heroes.yaml";
import { ctas } from "#content/site.yaml";
import { claimsAt } from "./claims";

export const homeHero = (samples: boolean) => ({
  ...home,
  primary: ctas.form,
  chat: ctas.chat,
  treatments,
  claims: claimsAt("hero-home", samples),
});
