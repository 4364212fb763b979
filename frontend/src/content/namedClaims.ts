/** The claims in the texts that name them, as {claim:warranty}. Apart from those at places, which come with the page. */
import { claims } from "#content/claims.yaml";
import { named } from "#content/claims.yaml?named";
import { claimsIn, sentencesOf } from "./claimedText";
import { mayStand } from "./claims";

const ALL: typeof claims = { ...claims, ...named };

/**
 * The text with the claims that it names, as {claim:warranty}. A sentence is left out when one of its claims may not be
 * shown; "" when no sentence is left.
 */
export const withClaims = (text: string, samples: boolean) =>
  sentencesOf(text, ALL, (claim) => mayStand(claim, samples)).join(" ");

/** The items with the claims that they name in this field, without those of which nothing may be said. */
export const itemsWithClaims = <Key extends string, Item extends Record<Key, string>>(
  items: readonly Item[],
  key: Key,
  samples: boolean,
): Item[] =>
  items.map((item) => ({ ...item, [key]: withClaims(item[key], samples) })).filter((item) => item[key] !== "");

/** Whether one of the texts names a claim that is a sample. */
export const restOnSamples = (texts: readonly string[]) =>
  texts.flatMap(claimsIn).some((id) => ALL[id]?.state === "sample");
