/**
 * What texts may say of claims and prices: they name them in braces, and never repeat a claim in their own words. Where the
 * site speaks for itself, a sentence that names no claim must be one of plain.yaml.
 */
import { sentencesOf } from "../../src/content/claimedText.ts";
import { sentence } from "./read.ts";
import type { Content, FileName } from "./schema.ts";

type Claims = Content<"claims.yaml">["claims"];

/** A text of a file: the path of its field, and what it says. */
interface Text {
  field: string;
  says: string;
}

/** Every text inside a file's content. */
export function textsIn(value: unknown, path: readonly string[] = []): Text[] {
  if (typeof value === "string") {
    return [{ field: path.join("."), says: value }];
  }
  return value !== null && typeof value === "object"
    ? Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]))
    : [];
}

const NAMED = /\{(claim|price):([^}]*)\}/g;

/** Matches the words in any case, with spaces or hyphens between them. */
function pattern(words: string): RegExp {
  const parts = words
    .replace(/[.!?]$/, "")
    .split(/[\s-]+/)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`(?<![\\w,.])${parts.join("[\\s-]")}`, "i");
}

/** How a claim would be repeated: as a whole, or by its value where that says something by itself ("15 year"). */
function patternsOf({ words, value }: Claims[string]): RegExp[] {
  const whole = words.replace("{value}", value ?? "");
  const speaking = value !== null && /[a-z]/i.test(value) ? [value] : [];
  return [whole, ...speaking].map(pattern);
}

/** Throws a `ContentError` for the first text that repeats a claim, or names a claim or treatment that there is not. */
export function checkTexts(file: string, content: unknown, claims: Claims, treatments: ReadonlySet<string>): void {
  const stated = Object.entries(claims).map(([id, claim]) => ({ id, patterns: patternsOf(claim) }));
  const known = { claim: new Set(Object.keys(claims)), price: treatments };
  for (const { field, says } of textsIn(content)) {
    for (const [braces, kind, id] of says.matchAll(NAMED)) {
      if (!known[kind as keyof typeof known].has(id ?? "")) {
        throw sentence(file, field, `names ${braces}, which there is not`);
      }
    }
    const repeated = stated.find(({ patterns }) => patterns.some((words) => words.test(says)));
    if (repeated) {
      const way = `write {claim:${repeated.id}} where the field takes it, else say something else`;
      throw sentence(file, field, `repeats what only claims.yaml may say: ${way}`);
    }
  }
}

/** The fields whose every sentence names a claim or is plain. */
const SPOKEN: Partial<Record<FileName, RegExp>> = {
  "reasons.yaml": /^(reasons|turkey)\.\d+\.(title|text)$/,
  "faq.yaml": /\.answer$/,
  "journey.yaml": /^steps\.\d+\.(title|when|who|text)$/,
  "treatments.yaml": /\.(benefits\.\d+|answer)$/,
};

/** A sentence that names no claim, and where it stands. */
export interface PlainSentence {
  file: FileName;
  field: string;
  says: string;
}

/** "Yes." says nothing by itself: it goes with the sentence after it. */
const joined = (sentences: readonly string[]) =>
  sentences
    .join("\n")
    .replace(/^(Yes|No)\.\n/gm, "$1. ")
    .split("\n")
    .filter(Boolean);

/** Every sentence without a claim, in the fields where the site speaks for itself. */
export function sentencesWithoutClaim(read: (file: FileName) => unknown, claims: Claims): PlainSentence[] {
  return (Object.entries(SPOKEN) as [FileName, RegExp][]).flatMap(([file, spoken]) =>
    textsIn(read(file))
      .filter(({ field }) => spoken.test(field))
      .flatMap(({ field, says }) =>
        joined(sentencesOf(says, claims, () => false)).map((plain) => ({ file, field, says: plain })),
      ),
  );
}

/** Those of them that plain.yaml does not have. */
export function proseWithoutClaim(found: readonly PlainSentence[], plain: Content<"plain.yaml">): PlainSentence[] {
  const known = new Set(Object.values(plain).flat());
  return found.filter(({ says }) => !known.has(says));
}

/** Throws a `ContentError` for the first sentence that neither names a claim nor is plain, and for one that stands nowhere. */
export function checkPlain(found: readonly PlainSentence[], plain: Content<"plain.yaml">): void {
  const [first] = proseWithoutClaim(found, plain);
  if (first) {
    const problem = `claims something ("${first.says}"): name a claim, as {claim:...}, or put the sentence into plain.yaml`;
    throw sentence(first.file, first.field, problem);
  }
  const said = new Set(found.map(({ says }) => says));
  for (const [kind, sentences] of Object.entries(plain)) {
    const place = sentences.findIndex((says) => !said.has(says));
    if (place >= 0) {
      throw sentence("plain.yaml", `${kind}.${place}`, `stands in no text any more ("${sentences[place]}")`);
    }
  }
}
