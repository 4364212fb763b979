import { expect, it } from "vitest";
import { localDay } from "./format";

it("names the day of a moment in the visitor's zone", () => {
  const moment = Date.UTC(2026, 4, 1, 23, 30);
  expect(localDay(moment, "Europe/London")).toBe("Saturday 2 May");
  expect(localDay(moment, "America/New_York")).toBe("Friday 1 May");
});
