import { describe, expect, it } from "vitest";
import cases from "../../../tests/user_agents.json";
import { browser, deviceType, isIosSafari, operatingSystem } from "./device";

/** By its name; the server reads the same user agents (api/user_agents.py). */
const AGENTS = cases.map(({ name, touch, type, browser: browserName, version, system, userAgent }) => ({
  name,
  agent: { userAgent, maxTouchPoints: touch },
  expected: { type, browserName, version, system },
}));

describe("what a user agent says", () => {
  it.each(AGENTS)("$name", ({ agent, expected }) => {
    expect(deviceType(agent)).toBe(expected.type);
    expect(browser(agent)).toEqual({ name: expected.browserName, version: expected.version });
    expect(operatingSystem(agent)).toBe(expected.system);
  });

  it("is iOS Safari only for Safari itself", () => {
    expect(AGENTS.filter(({ agent }) => isIosSafari(agent)).map(({ name }) => name)).toEqual([
      "Safari, iPhone",
      "Safari, iPad asking for phone pages",
      "Safari, iPad as it comes",
    ]);
  });
});
