/** Reviews the prices: whether more costs less, and whether what they are compared with has a source. */
import { money } from "../../src/lib/money.ts";
import type { Content } from "./schema.ts";

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

const VALID_DAYS = 365;
const DAY_MS = 86_400_000;

/** Why the prices elsewhere may no longer be shown: they were last checked over a year ago. Null when they may. */
export function outdated({ sample, checked_on: checked }: Content<"comparison.yaml">, today: string): string | null {
  const age = checked === null ? 0 : (Date.parse(today) - Date.parse(checked)) / DAY_MS;
  return !sample && age > VALID_DAYS ? `comparison.yaml was last checked on ${checked}, over a year ago` : null;
}
