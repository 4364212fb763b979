import { describe, expect, it, onTestFinished } from "vitest";
import { clinicDay, dayInWords, daysLeft, isRunning } from "./offers";

const PERIOD = { starts: "2026-05-01", ends: "2026-05-31" };

describe("an offer", () => {
  it.each([
    ["2026-04-30", false],
    ["2026-05-01", true],
    ["2026-05-31", true],
    ["2026-06-01", false],
  ])("on %s: running is %s", (day, running) => {
    expect(isRunning(PERIOD, day)).toBe(running);
  });

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

  it("counts the days that are left", () => {
    expect(daysLeft(PERIOD, "2026-05-28")).toBe(3);
    expect(daysLeft(PERIOD, "2026-05-31")).toBe(0);
  });

  it("says its last day in words", () => {
    expect(dayInWords("2026-12-31")).toBe("31 December 2026");
    expect(dayInWords("2027-01-05")).toBe("5 January 2027");
  });
});
