import { expect, it } from "vitest";
import { DEFAULT_SETTINGS, NUMBER_TOKENS } from "../../src/lib/pageSettings.ts";
import { checkPage } from "./check.mjs";

const numbers = {
  tokens: NUMBER_TOKENS,
  placeholders: [DEFAULT_SETTINGS.clinicPhone, DEFAULT_SETTINGS.clinicPhoneDigits, DEFAULT_SETTINGS.whatsappNumber],
};
const PHONE = '<a href="tel:{{clinic-phone-digits}}">{{clinic-phone}}</a>';
const CHAT = '<a href="https://wa.me/{{whatsapp-number}}?text=Hi">chat</a>';
const GOOD = `<!--settings-->${PHONE}${CHAT}`;

const problem = (html: string) => {
  try {
    checkPage(html, "/call", numbers);
  } catch (cause) {
    return (cause as Error).message;
  }
  return null;
};

it("takes a page with tokens in its links", () => {
  expect(problem(GOOD)).toBeNull();
});

it.each([
  ["a link with another number", `${GOOD}<a href="tel:+441234567890">`, /^The page \/call must have links with/],
  ["a chat with another number", `${GOOD}<a href="https://wa.me/441234?text=Hi">`, /wa\.me\/441234/],
  ["no phone link", GOOD.replace(PHONE, ""), /must have links with href="tel:/],
  ["no chat link", GOOD.replace(CHAT, ""), /must have links with href="https:\/\/wa\.me/],
  ["a placeholder number in the text", `${GOOD}+90 212 000 00 00`, /holds the placeholder number/],
  ["a placeholder number in a data block", `${GOOD}"telephone":"+902120000000"`, /placeholder number \+902120000000/],
  ["a token that nobody fills", `${GOOD}{{clinic-fax}}`, /holds \{\{clinic-fax\}\}/],
  ["no place for the settings", GOOD.replace("<!--settings-->", ""), /exactly once/],
])("refuses a page with %s", (_, html, message) => {
  expect(problem(html)).toMatch(message);
});
