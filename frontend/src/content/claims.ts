/** What the site claims, at the places that content/claims.yaml names and in the texts that name a claim. */
import { claims } from "#content/claims.yaml";
import { authorisation } from "#content/clinic.yaml";

export interface Claim {
  id: string;
  words: string;
  icon: (typeof claims)[string]["icon"];
  /** Where it can be checked: an anchor on the page (#...) or an address. */
  evidence: string | null;
  sample: boolean;
}

type Registered = (typeof claims)[string];

const wordsOf = ({ words, value }: Registered) => words.replace("{value}", value ?? "");

const mayStand = ({ state }: Registered, samples: boolean) =>
  state === "approved" || (samples && state === "sample");

/** The claims of a place, in the order of their file: those approved, and samples where these are shown. */
export function claimsAt(place: string, samples: boolean): Claim[] {
  return Object.entries(claims)
    .filter(([, claim]) => claim.places.includes(place) && mayStand(claim, samples))
    .map(([id, claim]) => ({
      id,
      words: wordsOf(claim),
      icon: claim.icon,
      evidence: claim.evidence,
      sample: claim.state === "sample",
    }));
}

/** Stands for a claim that may not be shown, until its sentence is left out. */
const UNPROVEN = "\0";

/**
 * The text with the claims that it names, as {claim:warranty}. A sentence is left out when one of its claims may not be
 * shown; "" when no sentence is left.
 */
export function withClaims(text: string, samples: boolean): string {
  const filled = text.replace(/\{claim:([^}]+)\}/g, (_, id: string) => {
    const claim = claims[id];
    const words = claim ? wordsOf(claim) : "";
    return claim && mayStand(claim, samples) ? words : UNPROVEN + (/[.!?]$/.exec(words)?.[0] ?? "");
  });
  const sentences = filled.replace(/([.!?])\s+/g, "$1\n").split("\n");
  return sentences.filter((sentence) => !sentence.includes(UNPROVEN)).join(" ");
}

/** The items with evidence, and samples where these are shown. */
export function shown<Item extends { sample: boolean }>(items: readonly Item[], samples: boolean): Item[] {
  return items.filter(({ sample }) => samples || !sample);
}

/** The cells under the hero: the authorisation and the figures placed there. */
export function trustCells(samples: boolean): Claim[] {
  const { label, number, sample } = authorisation;
  const cell: Claim = {
    id: "authorisation",
    words: `${label} ${number}`,
    icon: "shield",
    evidence: "#clinic-details",
    sample,
  };
  return [...shown([cell], samples), ...claimsAt("trust", samples)];
}

/** The clinic in figures: each claim's value, set large, and the words that go with it. */
export const clinicFigures = (samples: boolean) =>
  claimsAt("clinic", samples).map(({ id, words, sample }) => {
    const value = claims[id]?.value ?? "";
    return { id, value, words: words.replace(value, "").trim(), sample };
  });
