/**
 * Validation that the forms share: messages, limits and rules. The phone number's rule is not here: its library is large.
 */
import * as z from "zod/mini";
import { messages } from "#content/validation.yaml";
import { HttpError } from "@/lib/request";
import { cleanAddress, cleanText } from "@/lib/typedText";

export { messages };

/** With the limit as the API writes it: 5,000. */
export function tooLong(limit: number): string {
  return messages.tooLong.replace("{limit}", String(limit).replace(/\B(?=(\d{3})+$)/g, ","));
}

const MIN_NAME_LENGTH = 2;

/** Accents and joiners alone make no name. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

export function personName(message: string, limit: number) {
  return z.string().check(
    z.overwrite(cleanText),
    z.refine((text) => [...text].length >= MIN_NAME_LENGTH && VISIBLE.test(text), message),
    z.maxLength(limit, tooLong(limit)),
  );
}

export function freeText(limit: number) {
  return z.string().check(z.overwrite(cleanText), z.maxLength(limit, tooLong(limit)));
}

/** Letters of every script, in the name and in the domain; no quoted names, no encoded words, no machines. */
const MAILBOX = /^(?!.*=\?)[-!#$%&'*+/=?^`{}|~\w\p{L}\p{M}\p{N}]+(\.[-!#$%&'*+/=?^`{}|~\w\p{L}\p{M}\p{N}]+)*$/u;
const DOMAIN = /^([\p{L}\p{N}]([-\p{L}\p{M}\p{N}]*[\p{L}\p{M}\p{N}])?\.)+\p{L}[-\p{L}\p{M}\p{N}]*[\p{L}\p{M}\p{N}]$/u;

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  return MAILBOX.test(text.slice(0, Math.max(at, 0))) && DOMAIN.test(text.slice(at + 1));
}

export function emailAddress(limit: number) {
  const { email } = messages;
  return z.string().check(z.overwrite(cleanAddress), z.refine(isEmail, email), z.maxLength(limit, email));
}

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
