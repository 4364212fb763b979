/** Questions with their answers as they may be given. */
import { ctas } from "#content/site.yaml";
import { itemsWithClaims, restOnSamples } from "./namedClaims";

interface Question {
  question: string;
  answer: string;
}

export const answered = <Words extends { faq: readonly Question[] }>(words: Words, samples: boolean) => ({
  ...words,
  chat: ctas.chat,
  faq: itemsWithClaims(words.faq, "answer", samples),
  sample: restOnSamples(words.faq.map(({ answer }) => answer)),
});
