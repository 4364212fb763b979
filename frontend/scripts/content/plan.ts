/** The data of the price plan: the prices of its lists, what each topic needs, and the words that browser and server share. */
import { createHash } from "node:crypto";
import { ABUTMENT } from "./entries.ts";
import { textsIn } from "./prose.ts";
import { sentence } from "./read.ts";
import type { Content } from "./schema.ts";

const FILE = "plan.yaml";
type Plan = Content<typeof FILE>;
type Way = NonNullable<Plan["topics"][number]["plan"]>;
type Lists = Content<"prices.yaml">["lists"];
type Treatments = Content<"treatments.yaml">["treatments"];

const partsOf = (way: Way | null): string[] => [
  ...(way?.missing ?? []),
  ...(way?.replace ?? []),
  ...(way?.jaw ?? []),
  ...(way?.both ?? []),
];

/** Every treatment that the plan can add up. */
const partsIn = ({ topics }: Plan) =>
  new Set(topics.flatMap(({ plan, instead }) => [plan, ...instead].flatMap(partsOf)));

/** Throws a `ContentError` for a treatment or a list that there is not, and for a price that is missing. */
export function checkPlan(plan: Plan, lists: Lists, treatments: ReadonlySet<string>): void {
  for (const [number, topic] of plan.topics.entries()) {
    const named = [topic.plan, ...topic.instead].flatMap(partsOf).filter((id) => id !== ABUTMENT);
    const unknown = [...named, ...(topic.treatment ? [topic.treatment] : [])].find(
      (id) => !treatments.has(id),
    );
    if (unknown !== undefined) {
      throw sentence(FILE, `topics.${number}`, `names ${unknown}, which is no treatment of treatments.yaml`);
    }
  }
  for (const [number, list] of plan.lists.entries()) {
    const prices = lists[list]?.prices;
    if (!prices) {
      throw sentence(
        FILE,
        `lists.${number}`,
        `must be a list of prices.yaml: ${Object.keys(lists).join(", ")}`,
      );
    }
    const missing = [...partsIn(plan)].find((id) => id !== ABUTMENT && !prices[id]);
    if (missing !== undefined) {
      throw sentence(
        "prices.yaml",
        `lists.${list}.prices.${missing}`,
        `must be a price, because ${FILE} adds it up in this list`,
      );
    }
  }
  const vague = textsIn(plan).find(({ says }) => /\bup to\b|\bfrom [£€$\d{]/i.test(says));
  if (vague) {
    throw sentence(FILE, vague.field, 'cannot say "up to" or "from": a plan is never less than its sum');
  }
  if (!plan.lists.includes("home")) {
    throw sentence(FILE, "lists", "must have home, whose plan is at /your-plan");
  }
}

/** What the plan adds up, in the order in which it names the parts: the abutment stands between implant and crown. */
function kindsOf({ words, topics }: Plan, treatments: Treatments) {
  const needed = partsIn({ topics } as Plan);
  const named = new Set(topics.map(({ treatment }) => treatment));
  const abutment = {
    title: words.abutment,
    includes: [words.abutmentBuys],
    duration: "",
    visits: "",
  };
  return Object.fromEntries(
    treatments.flatMap(({ id, title, adds, details: { includes, duration, visits } }) => [
      ...(needed.has(id) || named.has(id) ? [[id, { title, includes, duration, visits }]] : []),
      ...(adds?.includes(ABUTMENT) && needed.has(ABUTMENT) ? [[ABUTMENT, abutment]] : []),
    ]),
  );
}

/** `version` changes with the prices and with what a topic needs, not with the words. */
export function planData(plan: Plan, lists: Lists, treatments: Treatments) {
  const needed = partsIn(plan);
  const prices = Object.fromEntries(
    plan.lists.map((name) => {
      const { currency, abutment, prices: all } = lists[name] as Lists[string];
      const priced = [...needed].map((id) => [id, id === ABUTMENT ? abutment : (all[id]?.price ?? null)]);
      return [name, { currency, prices: Object.fromEntries(priced) as Record<string, number | null> }];
    }),
  );
  const rules = plan.topics.map(({ id, plan: way, instead }) => [
    id,
    way,
    instead.map(({ text: _, ...other }) => other),
  ]);
  const { each, unpriced, trips, xray } = plan.words;
  return {
    version: createHash("sha256")
      .update(JSON.stringify([prices, plan.leftOut, rules]))
      .digest("hex")
      .slice(0, 8),
    lists: prices,
    leftOut: plan.leftOut,
    treatments: kindsOf(plan, treatments),
    topics: plan.topics,
    words: { each, unpriced, trips, xray, states: plan.chart.states },
  };
}
