/** The rules that several forms share. Without the phone's: its library is large. */
import * as z from "zod/mini";
import { LIMITS, MESSAGES } from "./messages";

const FEWEST_LETTERS = 2;

export function personName(message: string, limit: number) {
  return z.string().check(
    z.trim(),
    z.refine((text) => [...text].length >= FEWEST_LETTERS, message),
    z.maxLength(limit, MESSAGES.tooLong(limit)),
  );
}

export const email = z
  .string()
  .check(z.trim(), z.regex(z.regexes.email, MESSAGES.email), z.maxLength(LIMITS.email, MESSAGES.email));
