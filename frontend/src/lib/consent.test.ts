import { describe, expect, it, vi } from "vitest";
import {
  answers,
  type Consent,
  consentFields,
  currentConsent,
  followOtherTabs,
  giveConsent,
  onConsent,
} from "./consent";
import { purposesOf } from "./consentNeed";
import { DEFAULT_SETTINGS, type Settings } from "./pageSettings";
import { resetState } from "./pageState";

const CONSENT: Consent = {
  version: "2026-01-01",
  choice: { analytics: false, advertising: true },
  at: "2026-02-01T10:00:00.000Z",
};
const SOON = new Date("2026-03-01T10:00:00Z");

describe("a choice", () => {
  it("is remembered in the browser, and goes with an enquiry", () => {
    expect(consentFields()).toEqual({});
    giveConsent(CONSENT);
    resetState();
    expect(currentConsent()).toEqual(CONSENT);
    expect(consentFields()).toEqual({
      consentVersion: "2026-01-01",
      consentChoice: { analytics: false, advertising: true },
      consentAt: "2026-02-01T10:00:00.000Z",
    });
  });

  it("lasts as long as the page where nothing can be stored", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full");
    });
    giveConsent(CONSENT);
    expect(warn).toHaveBeenCalled();
    expect(localStorage.getItem("consent")).toBeNull();
    expect(currentConsent()).toEqual(CONSENT);
  });

  it("that cannot be stored leaves no earlier yes for the next page", () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    giveConsent({ ...CONSENT, choice: { analytics: true, advertising: true } });
    const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full");
    });
    giveConsent({ ...CONSENT, choice: { analytics: false, advertising: false } });
    full.mockRestore();
    resetState();
    expect(currentConsent()).toBeNull();
  });

  it.each([
    ["broken JSON", "{"],
    ["a bare word", '"yes"'],
    ["a record without a choice", '{"version":"1","at":"2026-01-01"}'],
    ["a choice of nothing", '{"version":"1","at":"2026-01-01","choice":null}'],
  ])("is none when %s is stored", (_, text) => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    localStorage.setItem("consent", text);
    expect(answers(currentConsent(), "1", ["analytics"], SOON)).toBe(false);
  });

  it("answers only for its own wording, the purposes it was asked about, and a year", () => {
    const asked = ["analytics", "advertising"] as const;
    expect(answers(CONSENT, "2026-01-01", asked, SOON)).toBe(true);
    expect(answers(CONSENT, "2026-01-02", asked, SOON)).toBe(false);
    expect(answers({ ...CONSENT, choice: { advertising: true } }, "2026-01-01", asked, SOON)).toBe(false);
    expect(answers(CONSENT, "2026-01-01", asked, new Date("2027-02-02"))).toBe(false);
  });

  it("made in another tab counts here", () => {
    const heard = vi.fn();
    const stops = [onConsent(heard), followOtherTabs()];
    giveConsent({ ...CONSENT, choice: { analytics: true, advertising: true } });
    localStorage.setItem("consent", JSON.stringify(CONSENT));
    window.dispatchEvent(new StorageEvent("storage", { key: "consent" }));
    window.dispatchEvent(new StorageEvent("storage", { key: "other" }));
    expect(heard).toHaveBeenCalledTimes(2);
    // On a page that the visitor steps back to, no event tells of it.
    localStorage.setItem("consent", JSON.stringify({ ...CONSENT, choice: {} }));
    window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
    expect(heard).toHaveBeenLastCalledWith({ ...CONSENT, choice: {} });
    localStorage.setItem("consent", JSON.stringify(CONSENT));
    window.dispatchEvent(new StorageEvent("storage", { key: "consent" }));
    expect(currentConsent()).toEqual(CONSENT);
    for (const stop of stops) {
      stop();
    }
  });
});

describe("what there is to ask about", () => {
  it.each<[string, Partial<Settings>, string[]]>([
    ["nothing", { attributionStorage: "immediate" }, []],
    ["the campaign's storage", { attributionStorage: "after-consent" }, ["advertising"]],
    ["analytics", { attributionStorage: "immediate", analyticsId: "G-1" }, ["analytics"]],
    ["a pixel", { attributionStorage: "immediate", metaPixelId: "1" }, ["advertising"]],
    ["ads and analytics", { googleAdsConversion: "AW-1/a", analyticsId: "G-1" }, ["analytics", "advertising"]],
  ])("follows from the settings: %s", (_, settings, purposes) => {
    expect(purposesOf({ ...DEFAULT_SETTINGS, ...settings })).toEqual(purposes);
  });
});
