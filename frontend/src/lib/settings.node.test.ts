import { expect, it } from "vitest";
import { DEFAULT_SETTINGS, NUMBER_TOKENS } from "./pageSettings";
import { servedSettings } from "./settings";

it("settings hold tokens instead of numbers while pages are pre-rendered", () => {
  expect(servedSettings()).toEqual({ ...DEFAULT_SETTINGS, ...NUMBER_TOKENS });
});
