import { beforeEach, describe, expect, it, vi } from "vitest";
import { currentAttribution, forgetAttribution, noteArrival, persistAttribution } from "./attribution";
import { describeVisit } from "./visit";

const FIRST = new Date("2026-01-02T03:04:05Z");
const LATER = new Date("2026-02-03T04:05:06Z");

type Mode = Parameters<typeof noteArrival>[1];

/** What a fresh load of the page does. */
function arrive(path: string, { at = FIRST, mode = "immediate" as Mode, referrer = "" } = {}) {
  noteArrival({ url: `https://clinic.example${path}`, referrer, at }, mode);
}

const stored = () => JSON.parse(localStorage.getItem("google_ads_data") ?? "null");
const anotherSession = () => sessionStorage.setItem("global_session_id", crypto.randomUUID());

beforeEach(() => arrive("/"));

describe("attribution", () => {
  it("stays in memory until consent in after-consent mode", () => {
    arrive("/?gclid=abc", { mode: "after-consent" });
    expect(stored()).toBeNull();
    expect(currentAttribution()?.googleGclid).toBe("abc");
    persistAttribution();
    expect(stored()).toMatchObject({ googleGclid: "abc", timestamp: "2026-01-02T03:04:05.000Z" });
  });

  it("keeps its time over a reload, and gets a new one when the same link is followed again another day", () => {
    arrive("/?gclid=abc");
    arrive("/?gclid=abc", { at: LATER });
    expect(stored().timestamp).toBe("2026-01-02T03:04:05.000Z");
    anotherSession();
    arrive("/?gclid=abc", { at: LATER });
    expect(stored().timestamp).toBe("2026-02-03T04:05:06.000Z");
    expect(stored().firstTouch.timestamp).toBe("2026-01-02T03:04:05.000Z");
  });

  it("outlives a reload of the address that tags left with fewer parameters", () => {
    arrive("/?gclid=abc&utm_source=google&utm_term=all%20on%204&matchtype=e");
    arrive("/?gclid=abc&utm_source=google", { at: LATER });
    expect(describeVisit()).toMatchObject({
      googleKeyword: "all on 4",
      googleMatchtype: "e",
      timestamp: "2026-01-02T03:04:05.000Z",
    });
    arrive("/?gclid=def&utm_source=google", { at: LATER });
    expect(describeVisit()).toMatchObject({ googleGclid: "def", googleKeyword: null });
  });

  it("leaves local storage when consent is withdrawn, and this page's own arrival stays in memory", () => {
    arrive("/?gclid=earlier");
    anotherSession();
    arrive("/?gclid=abc", { at: LATER });
    forgetAttribution();
    expect(localStorage).toHaveLength(0);
    expect(describeVisit()).toMatchObject({ googleGclid: "abc", firstTouch: { googleGclid: "abc" } });
    arrive("/");
    expect(currentAttribution()).toBeNull();
  });

  it.each(["{broken", "7", "null", "[]", '{"googleGclid": 7}', '{"googleGclid": "", "firstTouch": 3}'])(
    "is absent, not an error, when storage holds %s",
    (text) => {
      vi.spyOn(console, "warn").mockImplementation(() => {});
      localStorage.setItem("google_ads_data", text);
      expect(currentAttribution()).toBeNull();
      arrive("/?gclid=abc");
      expect(stored()).toMatchObject({ googleGclid: "abc", firstTouch: { googleGclid: "abc" } });
    },
  );

  it("stored without a first arrival is the first arrival itself", () => {
    localStorage.setItem("google_ads_data", '{"googleGclid":"old","timestamp":"t","sessionId":"s"}');
    arrive("/?gclid=abc");
    expect(stored()).toMatchObject({
      googleGclid: "abc",
      firstTouch: { googleGclid: "old", timestamp: "t" },
    });
  });

  it("survives a browser that forbids storage, and only logs it", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    for (const method of ["getItem", "setItem", "removeItem"] as const) {
      vi.spyOn(Storage.prototype, method).mockImplementation(() => {
        throw new Error("forbidden");
      });
    }
    arrive("/?gclid=abc");
    persistAttribution();
    expect(describeVisit()).toMatchObject({ googleGclid: "abc", firstTouch: { googleGclid: "abc" } });
    forgetAttribution();
    expect(describeVisit().sessionId).not.toBe("");
    expect(warn).toHaveBeenCalledWith("Storing google_ads_data: forbidden");
    expect(warn).toHaveBeenCalledWith("Removing google_ads_data: forbidden");
  });
});

describe("a visit", () => {
  const referredBy = (referrer: string) => vi.spyOn(document, "referrer", "get").mockReturnValue(referrer);

  it("has the site that led here, which is never our own where another is known", () => {
    arrive("/?gclid=abc", { referrer: "https://search.example/" });
    referredBy("");
    expect(describeVisit().referrer).toBe("https://search.example/");
    referredBy(`${window.location.origin}/offers`);
    expect(describeVisit().referrer).toBe("https://search.example/");
    referredBy("https://news.example/article");
    expect(describeVisit().referrer).toBe("https://news.example/article");
  });

  it("truncates addresses to the API's length", () => {
    referredBy(`https://news.example/${"x".repeat(3000)}`);
    arrive(`/?gclid=abc&q=${"y".repeat(3000)}`);
    const { landingUrl = "", referrer = "" } = describeVisit();
    expect([landingUrl.length, referrer.length]).toEqual([2048, 2048]);
  });
});
