/** Texts that name claims, as {claim:warranty}: for the pages, and for the check of the content. */

interface Claim {
  words: string;
  value: string | null;
}

export const wordsOf = ({ words, value }: Claim) => words.replace("{value}", value ?? "");

const NAMED = /\{claim:([^}]+)\}/g;

/** The ids of the claims that the text names. */
export const claimsIn = (text: string) => [...text.matchAll(NAMED)].map(([, id = ""]) => id);

/** Marks the words of a claim that may not be shown, until its sentence is left out. */
const UNPROVEN = "\0";

/** After these words a full stop, and after a single letter, ends no sentence. */
const ABBREVIATION = /^\W*(?:\p{L}|approx|ca|dr|e\.g|i\.e|etc|incl|max|min|mr|mrs|ms|no|prof|st|vs)\.$/iu;

/** The text with a line for each sentence. */
const linesOf = (text: string) =>
  text.replace(/(\S*[.!?])\s+(?!\p{Ll})/gu, (all, word: string) => (ABBREVIATION.test(word) ? all : `${word}\n`));

/** Words that are one, so that they end where their last sentence ends, and that begin as they did. */
const marked = (words: string) => words.slice(0, 1) + UNPROVEN + words.slice(1).replace(/\s/g, UNPROVEN);

/** The text's sentences, with the words of the claims that they name; without those that name one that may not stand. */
export function sentencesOf<Registered extends Claim>(
  text: string,
  claims: Readonly<Record<string, Registered>>,
  mayStand: (claim: Registered) => boolean,
): string[] {
  const filled = text.replace(NAMED, (_, id: string) => {
    const claim = claims[id];
    return claim && mayStand(claim) ? wordsOf(claim) : marked(claim ? wordsOf(claim) : "");
  });
  return linesOf(filled)
    .split("\n")
    .filter((sentence) => sentence !== "" && !sentence.includes(UNPROVEN));
}
