/** The form's fields and every rule for them, in one schema. */
import * as z from "zod/mini";
import type { WrongField } from "@/components/form/ErrorSummary";
import { emailAddress, freeText, messages, personName } from "@/components/form/validation";
import { cleanPhone } from "@/lib/typedText";
import { type FieldErrors, LIMITS, VISIBLE_FIELDS } from "./fields";
import { phoneProblem } from "./phone";

export const leadSchema = z
  .object({
    name: personName(messages.name, LIMITS.name),
    surname: personName(messages.surname, LIMITS.surname),
    email: emailAddress(LIMITS.email),
    countryCode: z.string().check(z.minLength(1, messages.countryCode)),
    phone: z.string().check(z.overwrite(cleanPhone), z.maxLength(LIMITS.phone, messages.phone)),
    message: freeText(LIMITS.message),
    /** The version of the wording beside the box, when it is ticked. */
    marketing: z.union([z.literal(false), z.string()]),
    website: z.string(),
    zc_gad: z.string(),
  })
  .check((checked) => {
    const { phone, countryCode } = checked.value;
    const message = phoneProblem(phone, dialCodeOf(countryCode));
    if (message !== null && !checked.issues.some((issue) => issue.path?.[0] === "phone")) {
      checked.issues.push({ code: "custom", path: ["phone"], message, input: phone, continue: true });
    }
  });

/** The bare code of an option id: "+1-ca" is "+1". */
export function dialCodeOf(id: string): string {
  return id.split("-")[0] ?? id;
}

/** What the visitor entered, cleaned and checked. */
export type LeadEntry = z.output<typeof leadSchema>;

export type FieldName = keyof LeadEntry;

/** What is wrong, in the page's order. A missing country is shown at the phone. */
export function wrongFields(errors: FieldErrors): WrongField[] {
  return VISIBLE_FIELDS.flatMap((name) => {
    const message = errors[name] ?? (name === "phone" ? errors.countryCode : undefined);
    return message ? [{ name, message }] : [];
  });
}
