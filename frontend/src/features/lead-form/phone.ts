/** Validates a typed phone number against the selected calling code, in the API's order and with its messages. */
import { parsePhoneNumberFromString } from "libphonenumber-js/core";
// Half the size of the full metadata. What it lets through the server refuses, with the same message.
import metadata from "libphonenumber-js/metadata.min.json";
import { messages } from "@/components/form/validation";
import { cleanPhone } from "@/lib/typedText";

const MIN_LENGTH = 5;

/** The digits after the calling code. `written`: a code was typed, with + or 00; `foreign`: not the selected one. */
function splitPrefix(typed: string, code: string): { national: string; foreign: boolean; written: boolean } {
  const digits = typed.replace(/\D/g, "");
  const international = /^\(?\s*\+/.test(typed) ? digits : /^00/.test(digits) ? digits.slice(2) : null;
  if (international === null) {
    return { national: digits, foreign: false, written: false };
  }
  if (international.startsWith(code)) {
    return { national: international.slice(code.length), foreign: false, written: true };
  }
  return { national: international, foreign: true, written: true };
}

function isValid(code: string, national: string): boolean {
  const number = parsePhoneNumberFromString(`+${code}${national}`, metadata);
  return number !== undefined && number.countryCallingCode === code && number.isValid();
}

/** The region of a number that was typed with a calling code (+ or 00) other than the selected one; else null. */
export function regionOfOtherCode(typed: string, dialCode: string): string | null {
  const { national, foreign } = splitPrefix(cleanPhone(typed), dialCode.replace(/\D/g, ""));
  const number = foreign ? parsePhoneNumberFromString(`+${national}`, metadata) : undefined;
  return number?.isValid() ? (number.country ?? null) : null;
}

/** The error message for this number, or null when it is valid. `phone` is clean, `dialCode` is bare, like "+44". */
export function phoneProblem(phone: string, dialCode: string): string | null {
  if (phone === "") {
    return messages.phoneEmpty;
  }
  if (phone.length < MIN_LENGTH) {
    return messages.phone;
  }
  const code = dialCode.replace(/\D/g, "");
  const { national, foreign, written } = splitPrefix(phone, code);
  if (national.length < MIN_LENGTH) {
    return messages.phoneTooShort;
  }
  // Without + or 00 the number may still start with the code. Stripping it first would break Kazakh mobiles.
  const tries = written || !national.startsWith(code) ? [national] : [national, national.slice(code.length)];
  const valid = !foreign && tries.some((digits) => isValid(code, digits));
  return valid ? null : messages.phoneForCountry;
}
