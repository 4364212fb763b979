/**
 * What the files of content/ are made of: kinds of field, each with what is said of a wrong one, and the entries of the longer
 * files.
 */
import { z } from "zod";

const ICONS = [
  "star",
  "check",
  "alert",
  "phone",
  "chat",
  "clock",
  "shield",
  "search",
  "mail",
  "card",
  "people",
  "tag",
  "pin",
] as const;

const PICTOGRAMS = [
  "scan",
  "quote",
  "coordinator",
  "warranty",
  "travel",
  "home",
  "question",
  "plan",
  "implant",
  "calendar",
] as const;

const anyText = z.string("must be text").trim().min(1, "must not be empty");
export const text = anyText.regex(/^(?!.*\{(claim|price):)/s, "cannot name a claim or a price in braces");
/** Text that may name claims of claims.yaml, like {claim:warranty}. */
export const prose = anyText.regex(/^(?!.*\{price:)/s, "cannot name a price in braces");
/** Text that may name the price of another treatment, like {price:zirconia-crowns}. */
export const pricedText = anyText
  .regex(/^(?!.*\{claim:)/s, "cannot name a claim in braces")
  .regex(/^(?!.*\{price:.*\{price:)/s, "cannot name more than one price");
/** Text with placeholders that the site fills in, like {count}. */
export const textWith = (...places: string[]) =>
  places.reduce((rule, place) => rule.includes(place, { message: `must contain ${place}` }), text);
export const texts = <Key extends string>(...keys: Key[]) =>
  z.strictObject(Object.fromEntries(keys.map((key) => [key, text])) as Record<Key, typeof text>);
export const flag = z.boolean("must be true or false");
export const hour = z.string("must be text").regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be like "09:00"');
export const date = z.iso.date("must be a date like 2026-12-31");
export const email = z.email("must be an email address");
export const icon = z.enum(ICONS, `must be one of ${ICONS.join(", ")}`);
export const pictogram = z.enum(PICTOGRAMS, `must be one of ${PICTOGRAMS.join(", ")}`);
export const amount = z.number("must be a number").int("must be a whole number").positive("must be more than 0");
export const share = amount.max(99, "must be less than 100");
export const link = text.regex(
  /^(#[a-z][a-z0-9-]*|\/[^\s]*|https:\/\/\S+)$/,
  "must be a #place, a /path or an https:// address",
);
export const address = text.regex(/^https:\/\/\S+$/, "must be an https:// address");
export const name = text.regex(/^[a-z0-9-]{1,60}$/, "must be small letters, digits and hyphens, 60 at most");
export const video = text.regex(
  /^([\w-]+|https:\/\/[^\s/]+\/\S+)$/,
  "must be a film's name, or the https:// address at which a video service embeds it",
);
export const exactly = <Item extends z.ZodType>(count: number, item: Item) =>
  z.array(item, "must be a list").length(count, `must have exactly ${count} entries`);
/** Its entries differ: the pages tell them apart by their words. */
export const some = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item, "must be a list")
    .min(1, "must have at least one entry")
    .refine(
      (entries) => new Set(entries.map((entry) => JSON.stringify(entry))).size === entries.length,
      "must not have an entry twice",
    );

/** For a list whose entries need ids of their own. */
export function distinctIds(entries: readonly { id: string }[], context: z.RefinementCtx): void {
  const ids = entries.map(({ id }) => id);
  const twice = ids.findIndex((id, place) => ids.indexOf(id) !== place);
  if (twice >= 0) {
    context.addIssue({ code: "custom", path: [twice, "id"], message: `is used twice: ${ids[twice]}` });
  }
}

/** An entry that may stop being a sample only when a patient's consent is on file. */
export const withConsent = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .strictObject({ ...shape, consent: date.nullable(), sample: flag })
    .refine(({ sample, consent }: { sample?: unknown; consent?: unknown }) => sample !== false || Boolean(consent), {
      path: ["consent"],
      message: "must be the date of the written consent, because sample is false",
    });

/** Where a page may state a figure. */
const CLAIM_PLACES = "top-bar hero-home hero-landing trust clinic why-turkey".split(" ");

export const CURRENCIES = ["GBP", "EUR", "USD"] as const;

const price = z
  .strictObject({ price: amount, was: amount.optional() })
  .refine(({ price: now, was }) => was === undefined || was > now, {
    path: ["was"],
    message: "must be more than the price, or be left out",
  });
/** By treatment; null where the pages of the list leave the treatment out. */
export const priceList = <Currency extends (typeof CURRENCIES)[number]>(...currencies: readonly Currency[]) =>
  z.strictObject({
    currency: z.enum(currencies, `must be ${currencies.join(" or ")}`),
    was_until: date.nullable(),
    /** What nobody can do without, and no treatment of its own; null while it has no price. */
    parts: z.record(name, amount.nullable()),
    prices: z.record(name, price.nullable()),
  });

export const claim = z
  .strictObject({
    words: text,
    value: text.nullable(),
    icon,
    places: z.array(z.enum(CLAIM_PLACES, `must be one of ${CLAIM_PLACES.join(", ")}`), "must be a list"),
    evidence: link.nullable(),
    approved_by: text.nullable(),
    checked_on: date.nullable(),
    expires_on: date.nullable(),
    about: text,
    state: z.enum(["sample", "approved", "hidden"], "must be sample, approved or hidden"),
  })
  .refine(({ words, value }) => words.includes("{value}") === (value !== null), {
    path: ["words"],
    message: "must contain {value} where there is one, and cannot otherwise",
  })
  .refine(({ state, evidence, approved_by: by, checked_on: on }) => state !== "approved" || (evidence && by && on), {
    path: ["state"],
    message: "may be approved only with evidence, the name in approved_by and the date in checked_on",
  });

export const question = z.strictObject({ question: text, answer: prose });

/** What a treatment's own page says that its card does not. */
const treatmentPage = z.strictObject({
  ...texts("title", "heading", "lead").shape,
  description: textWith("{price}"),
  suits: some(text),
  /** When each step of the process is. */
  days: some(text),
  related: some(name),
  questions: some(question),
});

export const treatment = z
  .strictObject({
    id: name,
    title: text,
    unit: z.enum(["per unit", "per jaw"], "must be per unit, per jaw or nothing").nullable(),
    image: name,
    alt: text,
    highlights: exactly(3, text),
    buys: text,
    adds: some(name).optional(),
    buysApart: text.regex(/^[^{]*$/, "cannot name a sum that leaves something out").optional(),
    scope: z.strictObject({ jaws: amount, implants: amount }).optional(),
    whyLess: text.nullable().default(null),
    details: z.strictObject({
      duration: text,
      visits: text,
      warranty: prose,
      process: some(text),
      benefits: some(prose),
      includes: some(text),
      excludes: some(pricedText),
    }),
    page: treatmentPage,
  })
  .refine(({ details, page }) => page.days.length === details.process.length, {
    path: ["page", "days"],
    message: "must have one entry for each step of details.process",
  })
  .refine(({ buys, adds, buysApart }) => (adds ? buys.includes("{price}") && buysApart : !buysApart), {
    path: ["adds"],
    message: "needs {price} in buys, and buysApart for what the price alone buys, and they need it",
  });

export const dentist = z
  .strictObject({
    ...texts("name", "title", "does", "registration").shape,
    check: address,
    languages: some(text),
    portrait: name.nullable(),
    consent: date.nullable(),
    sample: flag,
  })
  .refine(({ portrait, consent }) => portrait === null || consent !== null, {
    path: ["consent"],
    message: "must be the date of the written consent to the portrait",
  });

export const offer = z
  .strictObject({
    id: name,
    places: some(name),
    title: text,
    text,
    terms: text,
    starts: date,
    ends: date,
    sample: flag,
  })
  .refine(({ starts, ends }) => starts <= ends, { path: ["ends"], message: "must not be before starts" })
  .refine(({ starts, ends, sample }) => sample || (Date.parse(ends) - Date.parse(starts)) / 86_400_000 <= 92, {
    path: ["ends"],
    message: "must be within three months of starts: what runs longer is a price, and no offer",
  });

/** Text, or text with the columns of our tables that it describes. The site gets the text alone. */
const passage = z.union(
  [text, z.strictObject({ text, columns: z.record(z.string(), some(text)) }).transform((passage) => passage.text)],
  "must be text, or text with columns",
);

/** A page of text: paragraphs, a list, and paragraphs again in each section, each optional. */
export const longText = z.strictObject({
  head: texts("title", "description"),
  version: date,
  /** When a lawyer last checked it. */
  checked_on: date.nullable(),
  title: text,
  lead: text,
  sections: some(
    z.strictObject({
      id: name,
      title: text,
      text: some(passage).optional(),
      items: some(passage).optional(),
      after: some(passage).optional(),
    }),
  ),
});

const point = z.strictObject({ label: text, text: prose });
/** A question that patients ask before they decide, with what is generally true of it and what only the clinic knows. */
export const topic = z.strictObject({
  id: name,
  title: text,
  brief: flag,
  answer: prose,
  of: z.array(point.extend({ treatments: some(name) }), "must be a list").default([]),
  items: z.array(point, "must be a list").default([]),
  days: z.array(point, "must be a list").default([]),
  text: z.array(prose, "must be a list").default([]),
  clinic: z.record(name, prose.nullable()).default({}),
  sources: z.array(name, "must be a list").default([]),
});

/** Somebody's published text, which a topic rests on. */
export const source = z.strictObject({
  ...texts("by", "title", "dated").shape,
  address,
  /** When a dentist last compared our text with it. */
  checked_on: date.nullable(),
});
