/** Where the answer to the cookie question is kept. Apart from what is done with it, for the page's first script. */
import { readJson } from "./storage";

export const CONSENT_KEY = "consent";

/** The lead's fields about the stored answer, as it stands there: the API checks them. None before there is one. */
export function storedConsentFields(): object {
  const stored = readJson("local", CONSENT_KEY);
  if (typeof stored !== "object" || stored === null) {
    return {};
  }
  const { version, choice, at }: Record<string, unknown> = { ...stored };
  return { consentVersion: version, consentChoice: choice, consentAt: at };
}
