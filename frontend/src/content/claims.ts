import { claims } from "#content/claims.yaml";

type Icon = "star" | "people" | "shield" | "chat" | "tag";

export interface Claim {
  id: string;
  words: string;
  icon: Icon;
  /** Where it can be checked: a place on the page (#...) or an address. */
  evidence: string | null;
  sample: boolean;
}

/** The figures stated at a place, in the order of their file: what is approved, and samples where these are shown. */
export function claimsAt(place: string, samples: boolean): Claim[] {
  return Object.entries(claims)
    .filter(
      ([, { places, state }]) =>
        places.includes(place) && (state === "approved" || (samples && state === "sample")),
    )
    .map(([id, { words, value, icon, evidence, state }]) => ({
      id,
      words: words.replace("{value}", value),
      icon: icon as Icon,
      evidence,
      sample: state === "sample",
    }));
}

/** What has evidence, and samples where these are shown. */
export function shown<Item extends { sample: boolean }>(items: readonly Item[], samples: boolean): Item[] {
  return items.filter(({ sample }) => samples || !sample);
}
