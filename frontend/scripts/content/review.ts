/**
 * Reviews the figures that the site states: claims' age, evidence and expiry, and whether two contradict each other; whether
 * more costs less, and whether what prices are compared with has a source.
 */
import { money } from "../../src/lib/money.ts";
import type { Content } from "./schema.ts";

type Claims = Content<"claims.yaml">["claims"];

export interface ReviewedClaim {
  id: string;
  says: string;
  state: Claims[string]["state"];
  evidence: string | null;
  approvedBy: string | null;
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
      approvedBy: claim.approved_by,
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

type Lists = Content<"prices.yaml">["lists"];
type Treatment = Content<"treatments.yaml">["treatments"][number];
type Scoped = Treatment & { scope: NonNullable<Treatment["scope"]> };

const isScoped = (treatment: Treatment): treatment is Scoped => treatment.scope !== undefined;

const extentOf = ({ id, scope: { jaws, implants } }: Scoped) =>
  `${id} (${jaws} ${jaws === 1 ? "jaw" : "jaws"}, ${implants} ${implants === 1 ? "implant" : "implants"})`;

/** Whether `more` does what `times` of `less` do, jaw for jaw and with no fewer implants, and is not the same. */
function outdoes({ scope: more }: Scoped, { scope: less }: Scoped, times: number): boolean {
  return (
    Number.isInteger(times) &&
    more.implants >= less.implants * times &&
    (more.jaws > less.jaws || more.implants > less.implants)
  );
}

/** A sentence for each treatment that costs less than another which does less, in each list, and does not say why. */
export function priceOrder(treatments: readonly Treatment[], lists: Lists): string[] {
  const scoped = treatments.filter(isScoped);
  return Object.entries(lists).flatMap(([list, { currency, prices }]) =>
    scoped.flatMap((more) =>
      scoped.flatMap((less) => {
        const times = more.scope.jaws / less.scope.jaws;
        const [high, low] = [prices[more.id]?.price, prices[less.id]?.price];
        if (
          more.whyLess !== null ||
          more === less ||
          !high ||
          !low ||
          !outdoes(more, less, times) ||
          high >= low * times
        ) {
          return [];
        }
        const other = `${times === 1 ? "" : `${times} × `}${extentOf(less)}`;
        return [
          `prices.yaml, ${list}: ${extentOf(more)} costs ${money(high, currency)}, ${other} ${money(low * times, currency)}`,
        ];
      }),
    ),
  );
}

/** A sentence for each comparison that names no source. */
export function unsourced(lists: Lists, comparison: Content<"comparison.yaml">): string[] {
  const struck = Object.entries(lists)
    .filter(([, { prices, was_until: until }]) => until === null && Object.values(prices).some((it) => it?.was))
    .map(
      ([list]) =>
        `prices.yaml, ${list}: was_until does not say until when the struck prices were charged, so production leaves them out`,
    );
  const elsewhere = comparison.sample
    ? ["comparison.yaml: the prices in the United Kingdom have no source yet (sample), so production leaves them out"]
    : [];
  return [...struck, ...elsewhere];
}

/** Why the prices elsewhere may no longer be shown: they were last checked over a year ago. Null when they may. */
export function outdated({ sample, checked_on: checked }: Content<"comparison.yaml">, today: string): string | null {
  const age = checked === null ? 0 : (Date.parse(today) - Date.parse(checked)) / DAY_MS;
  return !sample && age > VALID_DAYS ? `last checked on ${checked}, over a year ago` : null;
}
