/**
 * The price plan: what a visitor says of their teeth, and the sum of listed prices for it. The server works by the same
 * rules from the same data (leads/plan.py); a file of cases holds both to the same answers.
 */
import { type Currency, money } from "./money";

/** A way of treating: what each tooth of a kind needs, or a whole jaw. */
export interface Way {
  missing?: readonly string[] | undefined;
  replace?: readonly string[] | undefined;
  /** For a jaw with at least `from` marked teeth (1, if left out), instead of its teeth. */
  jaw?: readonly string[] | undefined;
  /** Where that is so in both jaws, instead of `jaw` twice. */
  both?: readonly string[] | undefined;
  from?: number | undefined;
}

export type Mark = "missing" | "replace";

export interface Topic {
  id: string;
  text: string;
  /** What the first tap on a tooth says. */
  first: Mark;
  replaceWord?: string | undefined;
  /** Null where only a scan can tell. */
  plan: Way | null;
  instead: readonly (Way & { text: string })[];
  extra: readonly string[];
}

interface Kind {
  title: string;
  includes: readonly string[];
  duration: string;
  visits: string;
}

/** Prices are whole units of the list's currency; null where the list has none. */
interface PriceList {
  currency: Currency;
  prices: Readonly<Record<string, number | null>>;
}

export interface PlanData {
  version: string;
  lists: Readonly<Record<string, PriceList>>;
  /** Teeth that are not counted. */
  leftOut: readonly number[];
  treatments: Readonly<Record<string, Kind>>;
  topics: readonly Topic[];
  words: {
    each: string;
    unpriced: string;
    trips: string;
    xray: Readonly<Record<string, string>>;
    /** What is said of a tooth: none, missing, replace. */
    states: Readonly<Record<string, string>>;
  };
}

/** What was answered. Each tooth is in one of the two lists at most. Null: not answered. */
export interface PlanAnswers {
  list: string;
  about: string | null;
  missing: readonly number[];
  replace: readonly number[];
  xray: string | null;
}

export interface PlanView {
  /** "scan": only a scan can tell, so there is no number. "mark": no tooth is marked yet. */
  state: "sum" | "scan" | "mark";
  about: string;
  lines: readonly { title: string; each: string; amount: string; includes: string }[];
  total: number | null;
  sum: string | null;
  extra: readonly string[];
  instead: { text: string; parts: string; sum: string; extra: readonly string[] } | null;
  trips: string | null;
  xray: string | null;
}

/** Teeth in FDI numbers, from the visitor's upper right, and lower right, to the left. */
export const UPPER = [18, 17, 16, 15, 14, 13, 12, 11, 21, 22, 23, 24, 25, 26, 27, 28] as const;
export const LOWER = [48, 47, 46, 45, 44, 43, 42, 41, 31, 32, 33, 34, 35, 36, 37, 38] as const;
const TEETH = new Set<number>([...UPPER, ...LOWER]);
const XRAY = ["yes", "no", "unsure"];

type Parts = Map<string, number>;
type Fields = Readonly<Record<string, string | undefined>>;

export const topicOf = (data: PlanData, about: string | null): Topic | undefined =>
  data.topics.find(({ id }) => id === about);

export function markOf({ missing, replace }: PlanAnswers, tooth: number): Mark | null {
  return missing.includes(tooth) ? "missing" : replace.includes(tooth) ? "replace" : null;
}

/** What is said of a tooth, in words. */
export function stateOf(data: PlanData, answers: PlanAnswers, tooth: number): string {
  const mark = markOf(answers, tooth);
  const word = mark === "replace" ? topicOf(data, answers.about)?.replaceWord : undefined;
  return word ?? data.words.states[mark ?? "none"] ?? "";
}

const sorted = (teeth: Iterable<number>) => [...teeth].sort((one, other) => one - other);

const teethIn = (said = "") => {
  const named = new Set(said.split(","));
  return new Set([...TEETH].filter((tooth) => named.has(`${tooth}`)));
};

/** The answers in a form's fields; what is not understood is left out. Null where not even the price list is. */
export function readAnswers(data: PlanData, fields: Fields): PlanAnswers | null {
  const { list = "", about = null, xray = null } = fields;
  if (!Object.hasOwn(data.lists, list)) {
    return null;
  }
  const missing = teethIn(fields.missing);
  const replace = [...teethIn(fields.replace)].filter((tooth) => !missing.has(tooth));
  return {
    list,
    about: topicOf(data, about) ? about : null,
    missing: sorted(missing),
    replace: sorted(replace),
    xray: xray !== null && XRAY.includes(xray) ? xray : null,
  };
}

/** The answers as one text like a query, for a field of a form. */
export function textOf({ list, about, missing, replace, xray }: PlanAnswers, version: string): string {
  const said = { list, about, missing: missing.join(","), replace: replace.join(","), xray, version };
  return Object.entries(said)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? "").replaceAll("%2C", ",")}`)
    .join("&");
}

/** The answers after a tap on a tooth, on a whole jaw ("upper", "lower") or on "none". */
export function tap(data: PlanData, answers: PlanAnswers, what: string): PlanAnswers {
  const first = topicOf(data, answers.about)?.first ?? "missing";
  const marks = new Map<number, Mark | null>([...TEETH].map((tooth) => [tooth, markOf(answers, tooth)]));
  if (what === "none") {
    marks.clear();
  } else if (what === "upper" || what === "lower") {
    const jaw = (what === "upper" ? UPPER : LOWER).filter((tooth) => !data.leftOut.includes(tooth));
    const clear = jaw.every((tooth) => marks.get(tooth));
    for (const tooth of jaw) {
      marks.set(tooth, clear ? null : (marks.get(tooth) ?? first));
    }
  } else {
    for (const tooth of teethIn(what)) {
      const order = [null, first, first === "missing" ? "replace" : "missing"] as const;
      marks.set(tooth, order[(order.indexOf(markOf(answers, tooth)) + 1) % order.length] ?? null);
    }
  }
  const marked = (mark: Mark) => sorted([...marks].filter(([, is]) => is === mark).map(([tooth]) => tooth));
  return { ...answers, missing: marked("missing"), replace: marked("replace") };
}

/** How many of each treatment a way of treating needs, in the order of the treatments. */
function partsOf(data: PlanData, way: Way, answers: PlanAnswers): Parts {
  const needed: string[] = [];
  let whole = 0;
  for (const jaw of [UPPER, LOWER]) {
    const marks = jaw
      .filter((tooth) => !data.leftOut.includes(tooth))
      .flatMap((tooth) => markOf(answers, tooth) ?? []);
    if (marks.length > 0 && way.jaw && marks.length >= (way.from ?? 1)) {
      whole += 1;
    } else {
      needed.push(...marks.flatMap((mark) => way[mark] ?? []));
    }
  }
  const jaws = whole > 1 && way.both ? way.both : Array.from({ length: whole }, () => way.jaw ?? []).flat();
  const all = [...needed, ...jaws];
  const counted = Object.keys(data.treatments).map(
    (part) => [part, all.filter((each) => each === part).length] as const,
  );
  return new Map(counted.filter(([, count]) => count > 0));
}

/** What a page says to the answers; null before it is known what they are about. */
export function planView(data: PlanData, answers: PlanAnswers): PlanView | null {
  const topic = topicOf(data, answers.about);
  const prices = data.lists[answers.list];
  if (!topic || !prices) {
    return null;
  }
  const { words } = data;
  const kindOf = (part: string) => data.treatments[part] as Kind;
  const sumOf = (parts: Parts) =>
    [...parts].reduce((total, [part, count]) => total + (prices.prices[part] ?? 0) * count, 0);
  const filled = (text: string, values: Record<string, string>) =>
    text.replace(/\{(\w+)\}/g, (braces, name: string) => values[name] ?? braces);
  const eachOf = (price: number, count: number) =>
    filled(words.each, { count: `${count}`, price: money(price, prices.currency) });
  const unpricedOf = (parts: Parts) =>
    [...parts]
      .filter(([part]) => prices.prices[part] === null)
      .map(([part, count]) => filled(words.unpriced, { part: kindOf(part).title, count: `${count}` }));
  const pricedOf = (parts: Parts) =>
    [...parts].flatMap(([part, count]) => {
      const price = prices.prices[part] ?? null;
      const { title, includes } = kindOf(part);
      const amount = price === null ? null : money(price * count, prices.currency);
      return price === null || amount === null
        ? []
        : [{ title, each: eachOf(price, count), amount, includes: includes.join(", ") }];
    });

  const parts: Parts = topic.plan ? partsOf(data, topic.plan, answers) : new Map();
  const state = parts.size > 0 ? "sum" : topic.plan ? "mark" : "scan";
  const said = ([...parts].flat() as (string | number)[]).join();
  const other = topic.instead
    .map((way) => ({ text: way.text, parts: partsOf(data, way, answers) }))
    .find((way) => way.parts.size > 0 && [...way.parts].flat().join() !== said);
  const [firstPart] = parts.keys();
  const kind = firstPart === undefined ? null : kindOf(firstPart);
  return {
    state,
    about: topic.text,
    lines: pricedOf(parts),
    total: kind ? sumOf(parts) : null,
    sum: kind ? money(sumOf(parts), prices.currency) : null,
    extra: [...unpricedOf(parts), ...(state === "mark" ? [] : topic.extra)],
    instead:
      kind && other
        ? {
            text: other.text,
            parts: pricedOf(other.parts)
              .map(({ title, each }) => `${title} ${each}`)
              .join(", "),
            sum: money(sumOf(other.parts), prices.currency),
            extra: unpricedOf(other.parts),
          }
        : null,
    trips: kind ? filled(words.trips, { visits: kind.visits, duration: kind.duration }) : null,
    xray: words.xray[answers.xray ?? ""] ?? null,
  };
}
