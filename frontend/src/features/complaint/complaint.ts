/** A complaint: its rules, which are the API's in the same words, and its sending. */
import * as z from "zod/mini";
import { email, freeText, LIMITS, messages, personName, refusedFields } from "@/components/form/validation";
import { isLimited, post, type Unchecked } from "@/lib/request";

export const complaintSchema = z.object({
  name: personName(messages.name, LIMITS.name),
  email,
  text: freeText(LIMITS.message).check(z.minLength(1, messages.complaint)),
  website: z.string(),
});

/** What the visitor entered, cleaned and checked. */
export type ComplaintEntry = z.output<typeof complaintSchema>;
/** The fields that the visitor sees, in the page's order. */
export const VISIBLE_FIELDS = ["name", "email", "text"] as const;
export type ComplaintErrors = Partial<Record<(typeof VISIBLE_FIELDS)[number], string>>;

/** Nobody waits longer for an answer. */
const MAX_WAIT_MS = 20_000;

export type ComplaintResult =
  | { kind: "stored"; reference: string }
  | { kind: "refused"; errors: ComplaintErrors }
  | { kind: "limited" }
  | { kind: "failed" };

/** The result is stored, refused by field, one too many, or failed. Never retries by itself. */
export async function sendComplaint(entry: ComplaintEntry): Promise<ComplaintResult> {
  try {
    const response = await post("/api/complaints", entry, { signal: AbortSignal.timeout(MAX_WAIT_MS) });
    const answer: Unchecked<"/api/complaints"> = { ...(await response.json()) };
    return answer.success === true && typeof answer.reference === "string"
      ? { kind: "stored", reference: answer.reference }
      : { kind: "failed" };
  } catch (cause) {
    if (isLimited(cause)) {
      return { kind: "limited" };
    }
    const errors = refusedFields(cause, VISIBLE_FIELDS);
    return Object.keys(errors).length > 0 ? { kind: "refused", errors } : { kind: "failed" };
  }
}
