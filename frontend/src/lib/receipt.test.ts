import { beforeEach, describe, expect, it, vi } from "vitest";
import { currentReceipt, forgetReceipt, keepReceipt } from "./receipt";
import { referenceFromClock } from "./shownReceipt";

beforeEach(forgetReceipt);

describe("the receipt", () => {
  it("survives a reload of the page", () => {
    keepReceipt({ reference: "123456", firstName: "Ada", call: "Today.", details: null });
    forgetReceipt();
    expect(currentReceipt()).toEqual({
      reference: "123456",
      firstName: "Ada",
      call: "Today.",
      details: null,
    });
  });

  it("is there for the page that follows, where storage is forbidden", () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new Error("forbidden");
    });
    vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
      throw new Error("forbidden");
    });
    keepReceipt({ reference: "123456", firstName: "Ada", call: "Today.", details: null });
    expect(currentReceipt()?.reference).toBe("123456");
  });

  it("is absent when nothing was sent or storage holds something else", () => {
    expect(currentReceipt()).toBeNull();
    sessionStorage.setItem("lead_receipt", '{"reference": 3}');
    expect(currentReceipt()).toBeNull();
  });

  it("of an older build has no call", () => {
    sessionStorage.setItem("lead_receipt", '{"reference": "123456", "firstName": "Ada", "acceptedAt": 5}');
    expect(currentReceipt()).toEqual({ reference: "123456", firstName: "Ada", call: null, details: null });
  });

  it("has a six-digit substitute made from the clock", () => {
    expect(referenceFromClock(Date.UTC(2026, 0, 1))).toMatch(/^\d{6}$/);
  });
});
