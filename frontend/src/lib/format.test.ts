import { expect, it } from "vitest";
import { localTime } from "./format";

it("names a moment in the visitor's zone", () => {
  const moment = Date.UTC(2026, 4, 1, 23, 30);
  expect(localTime(moment, "Europe/London")).toBe("Saturday 2 May, 00:30");
  expect(localTime(moment, "America/New_York")).toBe("Friday 1 May, 19:30");
});
