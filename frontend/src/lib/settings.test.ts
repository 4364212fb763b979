import { expect, it } from "vitest";
import { DEFAULT_SETTINGS, parseSettings } from "./pageSettings";

it("settings are the plain defaults when the page has none or broken ones", () => {
  expect(parseSettings(null)).toEqual(DEFAULT_SETTINGS);
  expect(parseSettings("{oops")).toEqual(DEFAULT_SETTINGS);
  expect(parseSettings("[1]")).toEqual(DEFAULT_SETTINGS);
});

it("settings fall back one by one", () => {
  const settings = parseSettings(
    '{"clinicPhone": 7, "whatsappNumber": "+90 555", "attributionStorage": "always", "environment": "development", "mailEnabled": 1, "showSamples": "yes", "retentionMonths": 12, "addressDays": "7"}',
  );
  expect(settings).toEqual({
    ...DEFAULT_SETTINGS,
    whatsappNumber: "90555",
    environment: "development",
    retentionMonths: 12,
  });
});
