import { authorisation } from "#content/clinic.yaml";
import { type Claim, claimsAt } from "./claims";

/** The cells under the hero: the authorisation, and the figures that have their place there. */
export function trustCells(samples: boolean): Claim[] {
  const { label, number, sample } = authorisation;
  const cell: Claim = {
    id: "authorisation",
    words: `${label} ${number}`,
    icon: "shield",
    evidence: "#clinic-details",
    sample,
  };
  return [...(samples || !sample ? [cell] : []), ...claimsAt("trust", samples)];
}

export const trustLabel = "What stands behind us";
