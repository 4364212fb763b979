import type { WrongField } from "@/components/form/ErrorSummary";

/** Names of what the form holds. The order is the order on the page, and decides which error comes first. */
export const VISIBLE_FIELDS = ["name", "surname", "email", "phone", "message"] as const;

export type VisibleField = (typeof VISIBLE_FIELDS)[number];
export type FieldName = VisibleField | "countryCode" | "marketing" | "website" | "zc_gad";
export type FieldErrors = Partial<Record<VisibleField | "countryCode", string>>;

/** What is wrong, in the page's order. A missing country shows at the phone. */
export function wrongFields(errors: FieldErrors): WrongField[] {
  return VISIBLE_FIELDS.flatMap((name) => {
    const message = errors[name] ?? (name === "phone" ? errors.countryCode : undefined);
    return message ? [{ name, message }] : [];
  });
}

/** A country as the closed button shows it. */
export interface ChosenCountry {
  id: string;
  dialCode: string;
  iso: string;
  name: string;
}

export const DEFAULT_COUNTRY: ChosenCountry = { id: "+44", dialCode: "+44", iso: "GB", name: "UK" };
