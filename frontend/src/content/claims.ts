/** What the site claims, at the places that content/claims.yaml names. */
import { claims } from "#content/claims.yaml";
import { authorisation } from "#content/clinic.yaml";
import { wordsOf } from "./claimedText";

export interface Claim {
  id: string;
  words: string;
  icon: (typeof claims)[string]["icon"];
  /** Where it can be checked: an anchor on the page (#...) or an address. */
  evidence: string | null;
  sample: boolean;
}

type Registered = (typeof claims)[string];

export const mayStand = ({ state }: Registered, samples: boolean) =>
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
