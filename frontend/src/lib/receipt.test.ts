import { describe, expect, it } from "vitest";
import { keepReceipt, referenceFromClock, storedReceipt } from "./receipt";

describe("the receipt", () => {
  it("survives a reload of the page", () => {
    keepReceipt({ reference: "123456", firstName: "Ada", acceptedAt: 5 });
    expect(storedReceipt()).toEqual({ reference: "123456", firstName: "Ada", acceptedAt: 5 });
  });

  it("is absent when nothing was sent or storage holds something else", () => {
    expect(storedReceipt()).toBeNull();
    sessionStorage.setItem("lead_receipt", '{"reference": 3}');
    expect(storedReceipt()).toBeNull();
  });

  it("has a six-digit substitute made from the clock", () => {
    expect(referenceFromClock(Date.UTC(2026, 0, 1))).toMatch(/^\d{6}$/);
  });
});
