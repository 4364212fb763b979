/**
 * Validation that the forms share: the messages, literal from the product's specification and the same as the API's,
 * the limits and the rules. The phone number's rule is not here: its library is large.
 */
import * as z from "zod/mini";
import { HttpError } from "@/lib/request";

export const MESSAGES = {
  name: "Name must be at least 2 characters",
  surname: "Surname must be at least 2 characters",
  email: "Please enter a valid email address",
  countryCode: "Please select a country code",
  phoneEmpty: "Please enter your phone number",
  phone: "Please enter a valid phone number",
  phoneTooShort: "Phone number too short",
  phoneForCountry: "Please enter a valid phone number for the selected country",
  tooLong: (limit: number) => `Please use at most ${limit} characters`,
} as const;

/** Longest input, in characters after trimming. */
export const LIMITS = { name: 80, surname: 80, email: 100, phone: 250, message: 5000 } as const;

const MIN_NAME_LENGTH = 2;

export function personName(message: string, limit: number) {
  return z.string().check(
    z.trim(),
    z.refine((text) => [...text].length >= MIN_NAME_LENGTH, message),
    z.maxLength(limit, MESSAGES.tooLong(limit)),
  );
}

export const email = z
  .string()
  .check(z.trim(), z.regex(z.regexes.email, MESSAGES.email), z.maxLength(LIMITS.email, MESSAGES.email));

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
