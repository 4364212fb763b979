/** Reviews the figures that the site states: age, evidence, expiry, and whether two contradict each other. */
import type { Content } from "./schema.ts";

type Claims = Content<"claims.yaml">["claims"];

export interface ReviewedClaim {
  id: string;
  says: string;
  state: Claims[string]["state"];
  evidence: string | null;
  checkedOn: string | null;
  /** Whole days since the last check; null when there was none. */
  ageDays: number | null;
  /** The last day on which it may be shown; null when it was never checked. */
  expiresOn: string | null;
  expired: boolean;
  /** Claims about the same thing with another value. */
  conflicts: string[];
}

export interface Review {
  claims: ReviewedClaim[];
  /** Reasons not to publish the site; empty when there are none. */
  problems: string[];
}

const DAY_MS = 86_400_000;
const VALID_DAYS = 365;

const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** Normalises a value: "50K+" is "50000+", "100,000+" is "100000+". */
export function meaningOf(value: string): string {
  return value
    .toLowerCase()
    .replace(/(\d),(?=\d{3})/g, "$1")
    .replace(/(\d+(?:\.\d+)?)\s*k\b/g, (_, figure: string) => String(Number(figure) * 1000))
    .replace(/\s+/g, "");
}

/** `today` is a day like 2026-12-31. */
export function reviewClaims(claims: Claims, today: string): Review {
  const reviewed = Object.entries(claims).map(([id, claim]): ReviewedClaim => {
    const { checked_on: checkedOn, about } = claim;
    const value = claim.value ?? claim.words;
    const expiresOn = claim.expires_on ?? (checkedOn && dayAfter(checkedOn, VALID_DAYS));
    const others = Object.entries(claims).filter(([other]) => other !== id);
    const meaningOfOther = (other: Claims[string]) => meaningOf(other.value ?? other.words);
    return {
      id,
      says: claim.words.replace("{value}", value),
      state: claim.state,
      evidence: claim.evidence,
      checkedOn,
      ageDays: checkedOn ? Math.floor((Date.parse(today) - Date.parse(checkedOn)) / DAY_MS) : null,
      expiresOn,
      expired: expiresOn !== null && expiresOn < today,
      conflicts: others
        .filter(([, other]) => other.about === about && meaningOfOther(other) !== meaningOf(value))
        .map(([other]) => other),
    };
  });
  const approved = new Set(reviewed.filter(({ state }) => state === "approved").map(({ id }) => id));
  const problems = reviewed
    .filter(({ id }) => approved.has(id))
    .flatMap(({ id, expired, expiresOn, conflicts }) => [
      ...(expired ? [`${id} is approved and expired on ${expiresOn}`] : []),
      ...conflicts
        .filter((other) => approved.has(other) && id < other)
        .map((other) => `${id} and ${other} are both approved and contradict each other`),
    ]);
  return { claims: reviewed, problems };
}
