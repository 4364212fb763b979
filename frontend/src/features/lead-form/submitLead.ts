/** Sends a checked enquiry and tells apart accepted, refused by field, and failed. Never retries by itself. */

import { refusedFields } from "@/components/form/validation";
import { consentFields } from "@/lib/consent";
import { randomId } from "@/lib/random";
import { write } from "@/lib/request";
import { describeVisit } from "@/lib/visit";
import type { FieldErrors } from "./fields";
import type { LeadEntry } from "./schema";
import { dialCodeOf } from "./schema";

export type SubmitResult =
  | { kind: "sent"; id: string; reference: string }
  | { kind: "refused"; errors: FieldErrors }
  | { kind: "failed" };

export interface Submission {
  key: string;
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
 * Gives the submission for an entry. The same entry as before gets the same key and the very same body,
 * so that pressing again after a failure can never make a second lead; a changed entry gets new ones.
 */
export function submissionFor(entry: LeadEntry, countryIso: string, last: Remembered | null): Remembered {
  const entered = JSON.stringify([entry, countryIso]);
  if (last?.entered === entered) {
    return last;
  }
  const eventId = randomId();
  return { entered, key: randomId(), eventId, body: { ...leadBody(entry, countryIso), eventId } };
}

export interface Remembered extends Submission {
  entered: string;
  /** What the tags and our server know the enquiry's event by. */
  eventId: string;
}

const SHOWN = ["name", "surname", "email", "countryCode", "phone", "message"] as const;

/** Success is only an answer whose `success` is true; everything else is a failure or a refusal by field. */
export async function submitLead({ key, body }: Submission): Promise<SubmitResult> {
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
    const errors = refusedFields(cause, SHOWN);
    return Object.keys(errors).length > 0 ? { kind: "refused", errors } : { kind: "failed" };
  }
}
