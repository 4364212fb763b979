import { describe, expect, it, onTestFinished } from "vitest";
import { clinicDay, dayInWords } from "./offers";

describe("an offer", () => {
  it("ends with the clinic's day, not the visitor's", () => {
    expect(clinicDay(new Date("2026-05-31T20:59:00Z"))).toBe("2026-05-31");
    expect(clinicDay(new Date("2026-05-31T21:01:00Z"))).toBe("2026-06-01");
  });

  it("does not depend on how a browser writes the dates of any locale", () => {
    const american = { get: () => () => "11/22/2026" };
    const original = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, "format") ?? {};
    Object.defineProperty(Intl.DateTimeFormat.prototype, "format", american);
    onTestFinished(() => void Object.defineProperty(Intl.DateTimeFormat.prototype, "format", original));
    expect(clinicDay(new Date("2026-11-22T09:00:00Z"))).toBe("2026-11-22");
  });

  it("says its last day in words", () => {
    expect(dayInWords("2026-12-31")).toBe("31 December 2026");
    expect(dayInWords("2027-01-05")).toBe("5 January 2027");
  });
});
