/** The entries of which the longer files of content/ are made: claims, treatments with their prices, offers, passages. */
import { z } from "zod";
import {
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

/** What a treatment's own page says that its card does not. */
const treatmentPage = z.strictObject({
  ...texts("title", "heading", "lead").shape,
  description: textWith("{price}"),
  suits: some(text),
  related: some(name),
  questions: some(texts("question", "answer")),
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
    scope: z.strictObject({ jaws: amount, implants: amount }).optional(),
    details: z.strictObject({
      duration: text,
      visits: text,
      warranty: prose,
      process: some(text),
      benefits: some(text),
      includes: some(text),
      excludes: some(pricedText),
    }),
    page: treatmentPage,
  })
  .refine(({ buys, adds }) => buys.includes("{price}") === (adds !== undefined), {
    path: ["buys"],
    message: "must contain {price} where adds names treatments, and cannot otherwise",
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

/** A long text: paragraphs, a list, and paragraphs again, each optional. */
export const longText = (passage: z.ZodType<string>) =>
  z.strictObject({
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
/** Text, or text with the columns of our tables that it describes. The site gets the text alone. */
export const passageWithColumns = z.union(
  [
    text,
    z.strictObject({ text, columns: z.record(z.string(), some(text)) }).transform((passage) => passage.text),
  ],
  "must be text, or text with columns",
);
