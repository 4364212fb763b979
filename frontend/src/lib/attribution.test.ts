import { afterEach, describe, expect, it, vi } from "vitest";
import { currentAttribution, forgetArrival, noteArrival, persistAttribution } from "./attribution";

const NOW = new Date("2026-01-02T03:04:05Z");

afterEach(forgetArrival);

describe("attribution", () => {
  it("is stored on arrival in immediate mode, with time and session", () => {
    noteArrival("?gclid=abc", "immediate", NOW);
    const stored = JSON.parse(localStorage.getItem("google_ads_data") ?? "null");
    expect(stored).toMatchObject({ googleGclid: "abc", timestamp: "2026-01-02T03:04:05.000Z" });
    expect(stored.sessionId).toBe(sessionStorage.getItem("global_session_id"));
  });

  it("stays in memory until consent in after-consent mode", () => {
    noteArrival("?gclid=abc", "after-consent", NOW);
    expect(localStorage.getItem("google_ads_data")).toBeNull();
    expect(currentAttribution()?.googleGclid).toBe("abc");
    persistAttribution();
    expect(localStorage.getItem("google_ads_data")).toContain("abc");
  });

  it("of an earlier visit is kept when a later one names no campaign", () => {
    noteArrival("?gclid=abc", "immediate", NOW);
    forgetArrival();
    noteArrival("", "immediate", NOW);
    expect(currentAttribution()?.googleGclid).toBe("abc");
  });

  it("is absent, not an error, when storage holds something else", () => {
    localStorage.setItem("google_ads_data", "{broken");
    vi.spyOn(console, "warn").mockImplementation(() => {});
    expect(currentAttribution()).toBeNull();
  });

  it("survives a browser that forbids storage", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new Error("forbidden");
    });
    noteArrival("?gclid=abc", "immediate", NOW);
    expect(currentAttribution()?.googleGclid).toBe("abc");
    expect(warn).toHaveBeenCalled();
  });
});
