/** The kinds of field that the files of content/ are made of, each with what is said of a wrong one. */
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
export const amount = z
  .number("must be a number")
  .int("must be a whole number")
  .positive("must be more than 0");
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
    .refine(
      ({ sample, consent }: { sample?: unknown; consent?: unknown }) => sample !== false || Boolean(consent),
      {
        path: ["consent"],
        message: "must be the date of the written consent, because sample is false",
      },
    );
