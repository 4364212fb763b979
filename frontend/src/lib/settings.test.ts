import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS, pageSettings, parseSettings } from "./pageSettings";
import { servedSettings } from "./settings";

describe("settings", () => {
  it("are the plain defaults when the page has none or broken ones", () => {
    expect(parseSettings(null)).toEqual(DEFAULT_SETTINGS);
    expect(parseSettings("{oops")).toEqual(DEFAULT_SETTINGS);
    expect(parseSettings("[1]")).toEqual(DEFAULT_SETTINGS);
  });

  it("fall back one by one", () => {
    const settings = parseSettings(
      '{"clinicPhone": 7, "whatsappNumber": "+90 555", "attributionStorage": "always", "environment": "development", "mailEnabled": 1, "showSamples": "yes"}',
    );
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, whatsappNumber: "90555", environment: "development" });
  });

  it("are the same object as long as the page's text is the same", () => {
    const block = document.createElement("script");
    block.id = "settings";
    block.type = "application/json";
    block.textContent = '{"clinicPhone": "+90 1"}';
    document.head.append(block);
    expect(pageSettings().clinicPhone).toBe("+90 1");
    expect(pageSettings()).toBe(pageSettings());
    block.textContent = '{"clinicPhone": "+90 1", "whatsappNumber": "90555", "mailEnabled": true}';
    expect(servedSettings()).toEqual({
      ...DEFAULT_SETTINGS,
      clinicPhone: "+90 1",
      clinicPhoneDigits: "+901",
      whatsappNumber: "90555",
    });
    expect(servedSettings()).toBe(servedSettings());
    block.remove();
  });
});
