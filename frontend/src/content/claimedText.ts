/** Texts that name claims, as {claim:warranty}: for the pages, and for the check of the content. */

interface Claim {
  words: string;
  value: string | null;
}

export const wordsOf = ({ words, value }: Claim) => words.replace("{value}", value ?? "");

const NAMED = /\{claim:([^}]+)\}/g;

/** The ids of the claims that the text names. */
export const claimsIn = (text: string) => [...text.matchAll(NAMED)].map(([, id = ""]) => id);

/** Stands for a claim that may not be shown, until its sentence is left out. */
const UNPROVEN = "\0";

/** The text's sentences, with the words of the claims that they name; without those that name one that may not stand. */
export function sentencesOf<Registered extends Claim>(
  text: string,
  claims: Readonly<Record<string, Registered>>,
  mayStand: (claim: Registered) => boolean,
): string[] {
  const filled = text.replace(NAMED, (_, id: string) => {
    const claim = claims[id];
    const words = claim ? wordsOf(claim) : "";
    return claim && mayStand(claim) ? words : UNPROVEN + (/[.!?]$/.exec(words)?.[0] ?? "");
  });
  const sentences = filled.replace(/([.!?])\s+/g, "$1\n").split("\n");
  return sentences.filter((sentence) => sentence !== "" && !sentence.includes(UNPROVEN));
}
