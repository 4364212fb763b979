/** Questions with their answers as they may be given. */
import { ctas } from "#content/site.yaml";
import { itemsWithClaims, restOnSamples } from "./namedClaims";

export const answered = <Words extends Pick<Content<"faq.yaml">, "faq">>(words: Words, samples: boolean) => ({
  ...words,
  chat: ctas.chat,
  faq: itemsWithClaims(words.faq, "answer", samples),
  sample: restOnSamples(words.faq.map(({ answer }) => answer)),
});
