/** The form's fields and words, without their rules, which are in the late chunk. */

/** The fields that the visitor sees. Their order is the order on the page, and decides which error comes first. */
export const VISIBLE_FIELDS = ["name", "surname", "email", "phone", "message"] as const;

/** Longest input of each, in characters after cleaning. */
export const LIMITS = { name: 80, surname: 80, email: 100, phone: 250, message: 5000 } as const;

/** The fields that can be shown as wrong. */
export const CHECKED_FIELDS = [...VISIBLE_FIELDS, "countryCode"] as const;
export type FieldErrors = Partial<Record<(typeof CHECKED_FIELDS)[number], string>>;

export type LeadFormWords = Content<"lead-form.yaml">["form"] & {
  marketing: Content<"legal.yaml">["marketing"];
};
