/** Sends a checked enquiry; the result is accepted, refused by field, or failed. Never retries by itself. */

import { refusedFields } from "@/components/form/validation";
import { consentFields } from "@/lib/consent";
import { randomId } from "@/lib/ids";
import { write } from "@/lib/request";
import { describeVisit } from "@/lib/visit";
import { CHECKED_FIELDS, dialCodeOf, type FieldErrors, type LeadEntry } from "./schema";

export type SubmitResult =
  | { kind: "sent"; id: string; reference: string }
  | { kind: "refused"; errors: FieldErrors }
  | { kind: "failed" };

export interface Submission {
  /** What the visitor entered, as text to compare the next press with. */
  entered: string;
  /** The idempotency key. */
  key: string;
  /** The id of the enquiry's event, for the tags and for our server. */
  eventId: string;
  body: Record<string, unknown>;
}

function withoutNothing(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ""));
}

/** The wire's fields: bare calling code, region beside it, empty tracking fields left out. */
export function leadBody(entry: LeadEntry, countryIso: string): Record<string, unknown> {
  const { message, zc_gad, website, marketing, ...contact } = entry;
  return {
    ...withoutNothing({ ...describeVisit() }),
    ...contact,
    ...withoutNothing({ message, zc_gad, countryIso }),
    ...consentFields(),
    countryCode: dialCodeOf(entry.countryCode),
    website,
    ...(marketing && { marketingOptIn: true, marketingVersion: marketing }),
  };
}

/**
 * The submission for an entry. The same entry as before keeps its key and its very body, so that pressing again
 * after a failure never makes a second lead; a changed entry gets new ones.
 */
export function submissionFor(entry: LeadEntry, countryIso: string, last: Submission | null): Submission {
  const entered = JSON.stringify([entry, countryIso]);
  if (last?.entered === entered) {
    return last;
  }
  const eventId = randomId();
  return { entered, key: randomId(), eventId, body: { ...leadBody(entry, countryIso), eventId } };
}

/** Success is only an answer whose `success` is true; everything else is a failure or a refusal by field. */
export async function submitLead({ key, body }: Pick<Submission, "key" | "body">): Promise<SubmitResult> {
  try {
    // Kept alive: an enquiry is not lost when the tab is closed right after the press.
    const headers = { "Idempotency-Key": key };
    const response = await write("POST", "/api/leads", body, { headers, keepalive: true });
    const answer: { success?: unknown; id?: unknown; reference?: unknown } = { ...(await response.json()) };
    if (answer.success !== true) {
      return { kind: "failed" };
    }
    return { kind: "sent", id: String(answer.id ?? ""), reference: String(answer.reference ?? "") };
  } catch (cause) {
    const errors = refusedFields(cause, CHECKED_FIELDS);
    return Object.keys(errors).length > 0 ? { kind: "refused", errors } : { kind: "failed" };
  }
}
