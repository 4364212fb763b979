/** Sends a checked complaint and tells apart stored, refused by field, and failed. Never retries by itself. */
import { refusedFields } from "@/components/form/validation";
import { write } from "@/lib/request";
import { type ComplaintEntry, type ComplaintErrors, SHOWN } from "./schema";

export type ComplaintResult =
  | { kind: "stored"; reference: string }
  | { kind: "refused"; errors: ComplaintErrors }
  | { kind: "failed" };

export async function sendComplaint(entry: ComplaintEntry): Promise<ComplaintResult> {
  try {
    const response = await write("POST", "/api/complaints", entry);
    const answer: { success?: unknown; reference?: unknown } = { ...(await response.json()) };
    return answer.success === true && typeof answer.reference === "string"
      ? { kind: "stored", reference: answer.reference }
      : { kind: "failed" };
  } catch (cause) {
    const errors = refusedFields(cause, SHOWN);
    return Object.keys(errors).length > 0 ? { kind: "refused", errors } : { kind: "failed" };
  }
}
