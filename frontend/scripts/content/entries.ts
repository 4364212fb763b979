/** The entries of which the longer files of content/ are made: claims, treatments with their prices, offers, passages. */
import { z } from "zod";
import {
  address,
  amount,
  date,
  exactly,
  flag,
  icon,
  link,
  name,
  pricedText,
  prose,
  some,
  text,
  texts,
  textWith,
} from "./fields.ts";

/** Where a page may state a figure. */
const CLAIM_PLACES = "top-bar hero-home hero-landing trust clinic why-turkey".split(" ");

export const CURRENCIES = ["GBP", "EUR", "USD"] as const;

/** Joins an implant and its crown. No treatment of its own: each price list says what it costs, or nothing. */
export const ABUTMENT = "abutment";

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
    abutment: amount.nullable().default(null),
    prices: z.record(name, price.nullable()),
  });

export const claim = z
  .strictObject({
    words: text,
    value: text.nullable(),
    icon,
    places: z.array(z.enum(CLAIM_PLACES, `must be one of ${CLAIM_PLACES.join(", ")}`), "must be a list"),
    evidence: link.nullable(),
    checked_on: date.nullable(),
    expires_on: date.nullable(),
    about: text,
    state: z.enum(["sample", "approved", "hidden"], "must be sample, approved or hidden"),
  })
  .refine(({ words, value }) => words.includes("{value}") === (value !== null), {
    path: ["words"],
    message: "must contain {value} where there is one, and cannot otherwise",
  })
  .refine(({ state, evidence, checked_on }) => state !== "approved" || Boolean(evidence && checked_on), {
    path: ["state"],
    message: "may be approved only with evidence and the date of checked_on",
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
    buysApart: textWith("{price}").optional(),
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
  .refine(({ buys, adds }) => buys.includes("{price}") === (adds !== undefined), {
    path: ["buys"],
    message: "must contain {price} where adds names treatments, and cannot otherwise",
  })
  .refine(({ adds, buysApart }) => Boolean(adds?.includes(ABUTMENT)) === (buysApart !== undefined), {
    path: ["buysApart"],
    message: "must say what the price buys without the abutment where adds names it, and cannot otherwise",
  });

export const dentist = z
  .strictObject({
    name: text,
    title: text,
    registration: text,
    languages: some(text),
    portrait: name.nullable(),
    consent: date.nullable(),
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
  .refine(({ starts, ends }) => starts <= ends, { path: ["ends"], message: "must not be before starts" });

/** Text, or text with the columns of our tables that it describes. The site gets the text alone. */
const passage = z.union(
  [
    text,
    z.strictObject({ text, columns: z.record(z.string(), some(text)) }).transform((passage) => passage.text),
  ],
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
