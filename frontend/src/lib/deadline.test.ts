import { expect, it } from "vitest";
import { closingFrom } from "./deadline";

const HOURS = { days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"], closes: "19:00" };

/** A moment on the clinic's clock. */
const atClinic = (text: string) => Date.parse(`${text}+03:00`);

it.each([
  ["on an open day", "2026-11-23T10:00", "2026-11-23T19:00"],
  ["after closing time, on the same day", "2026-11-23T22:00", "2026-11-23T19:00"],
  ["just after midnight at the clinic", "2026-11-24T00:10", "2026-11-24T19:00"],
  ["on a Sunday, on Monday", "2026-11-22T15:00", "2026-11-23T19:00"],
])("the clinic has called %s", (_, moment, closing) => {
  expect(closingFrom(atClinic(moment), HOURS)).toBe(atClinic(closing));
});

it("waits over several closed days", () => {
  const rare = { days: ["Tuesday"], closes: "17:30" };
  expect(closingFrom(atClinic("2026-11-25T09:00"), rare)).toBe(atClinic("2026-12-01T17:30"));
});
