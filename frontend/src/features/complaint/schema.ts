/** The rules of a complaint. The API has the same, in the same words. */
import * as z from "zod/mini";
import { email, LIMITS, MESSAGES, personName } from "@/components/form/validation";

export const TEXT_MISSING = "Please tell us what happened";

export const complaintSchema = z.object({
  name: personName(MESSAGES.name, LIMITS.name),
  email,
  text: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, TEXT_MISSING),
      z.maxLength(LIMITS.message, MESSAGES.tooLong(LIMITS.message)),
    ),
  website: z.string(),
});

/** What the visitor entered, trimmed and checked. */
export type ComplaintEntry = z.output<typeof complaintSchema>;
export const SHOWN = ["name", "email", "text"] as const;
export type ComplaintErrors = Partial<Record<(typeof SHOWN)[number], string>>;
