/** Sends a checked enquiry, once: sent, refused by field, one too many, failed, or nobody there. */

import { refusedFields } from "@/components/form/validation";
import { consentFields } from "@/lib/consent";
import { type Details, detailsOf } from "@/lib/details";
import { randomId } from "@/lib/ids";
import { HttpError, isLimited, post, type Unchecked } from "@/lib/request";
import { describeVisit } from "@/lib/visit";
import { CHECKED_FIELDS, type FieldErrors } from "./fields";
import { dialCodeOf, type LeadEntry } from "./schema";
import type { StartToken } from "./startToken";

export interface Sent {
  id: string;
  reference: string;
  /** When the clinic calls, in words; null where the answer does not say. */
  call: string | null;
  /** Whether it does within 24 hours. */
  withinADay: boolean;
  details: Details | null;
}

export type SubmitResult =
  | ({ kind: "sent" } & Sent)
  | { kind: "refused"; errors: FieldErrors }
  | { kind: "limited" }
  /** Our server answered, and could not store it. */
  | { kind: "failed" }
  /** Nobody answered, or somebody else: no network, a captive portal, a blocker. */
  | { kind: "unreachable" };

export interface Submission {
  /** What the visitor entered, as text to compare the next press with. */
  entered: string;
  /** The idempotency key. */
  key: string;
  /** The id of the enquiry's event, for the tags and for our server. */
  eventId: string;
  body: ReturnType<typeof leadBody> & { eventId: string };
}

type Filled<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

function withoutEmpty<Fields extends object>(fields: Fields): Filled<Fields> {
  const filled = Object.entries(fields).filter(([, value]) => value !== null && value !== "");
  return Object.fromEntries(filled) as Filled<Fields>;
}

/**
 * The body of POST /api/leads: bare calling code, region beside it, empty tracking fields left out. Any further field goes
 * under its own name: one that the API does not know fails where it is posted, at compile time.
 */
export function leadBody(entry: LeadEntry, countryIso: string) {
  const { countryCode, message, marketing, zc_gad, ...entered } = entry;
  return {
    ...withoutEmpty(describeVisit()),
    ...entered,
    countryCode: dialCodeOf(countryCode),
    ...withoutEmpty({ message, zc_gad, countryIso }),
    ...consentFields(),
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

/** Every answer of our API is JSON; a failure has its own code in it. */
function isOurs(failure: HttpError): boolean {
  try {
    return JSON.parse(failure.body)?.code === failure.status;
  } catch {
    return false;
  }
}

/** Only an answer with `success: true` is a success; anything else is a refusal by field or a failure. */
export async function submitLead(
  { key, body }: Pick<Submission, "key" | "body">,
  start: StartToken,
  signal?: AbortSignal,
): Promise<SubmitResult> {
  try {
    const headers = { "Idempotency-Key": key, ...(await start.headers()) };
    // With keepalive, closing the tab right after the press does not lose the enquiry.
    const response = await post("/api/leads", body, { headers, keepalive: true, ...(signal && { signal }) });
    const answer: Unchecked<"/api/leads"> = { ...(await response.json()) };
    if (answer.success !== true) {
      return { kind: "failed" };
    }
    const { text, withinADay }: Partial<Record<"text" | "withinADay", unknown>> = {
      ...(answer.call as object),
    };
    return {
      kind: "sent",
      id: String(answer.id ?? ""),
      reference: String(answer.reference ?? ""),
      call: typeof text === "string" ? text : null,
      withinADay: withinADay !== false,
      details: detailsOf(answer.details),
    };
  } catch (cause) {
    if (isLimited(cause)) {
      return { kind: "limited" };
    }
    const errors = refusedFields(cause, CHECKED_FIELDS);
    if (Object.keys(errors).length > 0) {
      return { kind: "refused", errors };
    }
    return { kind: cause instanceof HttpError && isOurs(cause) ? "failed" : "unreachable" };
  }
}
