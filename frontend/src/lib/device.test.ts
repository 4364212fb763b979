import { describe, expect, it } from "vitest";
import { browser, describeDevice, deviceType, isIosSafari, operatingSystem } from "./device";

const IPHONE_SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
const IPHONE_CHROME =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/129.0.1 Mobile/15E148 Safari/604.1";
const IPHONE_FIREFOX =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/130.0 Mobile/15E148 Safari/605.1.15";
const IPAD =
  "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1";
const PIXEL =
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36";
const GALAXY_TAB =
  "Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";
const WINDOWS_EDGE =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.2849";
const MAC_SAFARI =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15";
const LINUX_FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0";

describe("what a user agent says", () => {
  it.each([
    [IPHONE_SAFARI, "Mobile", "Safari", "18.0", "iOS"],
    [IPHONE_CHROME, "Mobile", "Chrome", "129.0.1", "iOS"],
    [IPHONE_FIREFOX, "Mobile", "Firefox", "130.0", "iOS"],
    [IPAD, "Tablet", "Safari", "16.6", "iOS"],
    [PIXEL, "Mobile", "Chrome", "130.0.0.0", "Android"],
    [GALAXY_TAB, "Tablet", "Chrome", "130.0.0.0", "Android"],
    [WINDOWS_EDGE, "Desktop", "Edge", "130.0.2849", "Windows"],
    [MAC_SAFARI, "Desktop", "Safari", "17.6", "MacOS"],
    [LINUX_FIREFOX, "Desktop", "Firefox", "131.0", "Linux"],
    ["curl/8", "Desktop", "Unknown", "", "Unknown"],
  ])("%s", (agent, type, name, version, system) => {
    expect(deviceType(agent)).toBe(type);
    expect(browser(agent)).toEqual({ name, version });
    expect(operatingSystem(agent)).toBe(system);
  });

  it("is iOS Safari only for Safari itself", () => {
    expect([IPHONE_SAFARI, IPAD].every(isIosSafari)).toBe(true);
    expect([IPHONE_CHROME, IPHONE_FIREFOX, MAC_SAFARI, PIXEL].some(isIosSafari)).toBe(false);
  });

  it("is told together with screen, zone and language", () => {
    const facts = describeDevice({ userAgent: PIXEL, language: "en-GB" }, { width: 412, height: 915 });
    expect(facts).toMatchObject({ screenResolution: "412x915", language: "en-GB", deviceType: "Mobile" });
    expect(facts.timezone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });
});
