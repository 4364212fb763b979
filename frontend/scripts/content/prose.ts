/** What texts may say of claims and prices: they name them in braces, and never repeat a claim in their own words. */
import { sentence } from "./read.ts";
import type { Content } from "./schema.ts";

type Claims = Content<"claims.yaml">["claims"];

/** A text of a file: the path of its field, and what it says. */
interface Text {
  field: string;
  says: string;
}

/** Every text inside a file's content. */
function textsIn(value: unknown, path: readonly string[] = []): Text[] {
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
export function checkTexts(
  file: string,
  content: unknown,
  claims: Claims,
  treatments: ReadonlySet<string>,
): void {
  const known = { claim: new Set(Object.keys(claims)), price: treatments };
  for (const { field, says } of textsIn(content)) {
    for (const [braces, kind, id] of says.matchAll(NAMED)) {
      if (!known[kind as keyof typeof known].has(id ?? "")) {
        throw sentence(file, field, `names ${braces}, which there is not`);
      }
    }
    const repeated = Object.entries(claims).find(([, claim]) =>
      patternsOf(claim).some((words) => words.test(says)),
    );
    if (repeated) {
      const way = `write {claim:${repeated[0]}} where the field takes it, else say something else`;
      throw sentence(file, field, `repeats what only claims.yaml may say: ${way}`);
    }
  }
}
