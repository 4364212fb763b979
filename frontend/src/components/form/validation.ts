/**
 * Validation that the forms share: messages, limits and rules. The phone number's rule is not here: its library is large.
 */
import * as z from "zod/mini";
import { messages } from "#content/validation.yaml";
import { HttpError } from "@/lib/request";

export { messages };

/** With the limit as the API writes it: 5,000. */
export function tooLong(limit: number): string {
  return messages.tooLong.replace("{limit}", String(limit).replace(/\B(?=(\d{3})+$)/g, ","));
}

/** Longest input, in characters after trimming. */
export const LIMITS = { name: 80, surname: 80, email: 100, phone: 250, message: 5000 } as const;

const MIN_NAME_LENGTH = 2;

export function personName(message: string, limit: number) {
  return z.string().check(
    z.trim(),
    z.refine((text) => [...text].length >= MIN_NAME_LENGTH, message),
    z.maxLength(limit, tooLong(limit)),
  );
}

export const email = z
  .string()
  .check(z.trim(), z.regex(z.regexes.email, messages.email), z.maxLength(LIMITS.email, messages.email));

/** The first message per field of a 422 answer, for the fields that the form shows; empty for any other failure. */
export function refusedFields<Field extends string>(
  cause: unknown,
  shown: readonly Field[],
): Partial<Record<Field, string>> {
  if (!(cause instanceof HttpError) || cause.status !== 422) {
    return {};
  }
  try {
    const errors: Record<string, unknown> = JSON.parse(cause.body)?.errors?.json ?? {};
    const refused: Partial<Record<Field, string>> = {};
    for (const field of shown) {
      const messages = errors[field];
      if (Array.isArray(messages) && typeof messages[0] === "string") {
        refused[field] = messages[0];
      }
    }
    return refused;
  } catch {
    return {};
  }
}
