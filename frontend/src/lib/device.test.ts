import { describe, expect, it } from "vitest";
import { browser, describeDevice, deviceType, isIosSafari, operatingSystem } from "./device";

const WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const BLINK = "AppleWebKit/537.36 (KHTML, like Gecko)";
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT}`;
const IPAD = `Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) ${WEBKIT}`;
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const ANDROID = `Mozilla/5.0 (Linux; Android 10; K) ${BLINK}`;
const LINUX = "Mozilla/5.0 (X11; Linux x86_64";

const IPHONE_SAFARI = `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`;
const IPHONE_CHROME = `${IPHONE} CriOS/137.0.7151.51 Mobile/15E148 Safari/604.1`;
const MAC_SAFARI = `${MAC} ${WEBKIT} Version/17.6 Safari/605.1.15`;
const PIXEL = `${ANDROID} Chrome/137.0.0.0 Mobile Safari/537.36`;

/** User agent, fingers it can feel at once; device type, browser, its version, system. */
const AGENTS: [name: string, agent: string, touch: number, ...told: string[]][] = [
  ["Safari, iPhone", IPHONE_SAFARI, 5, "Mobile", "Safari", "18.5", "iOS"],
  ["Chrome, iPhone", IPHONE_CHROME, 5, "Mobile", "Chrome", "137.0.7151.51", "iOS"],
  [
    "Firefox, iPhone",
    `${IPHONE} FxiOS/139.0 Mobile/15E148 Safari/605.1.15`,
    5,
    "Mobile",
    "Firefox",
    "139.0",
    "iOS",
  ],
  [
    "Edge, iPhone",
    `${IPHONE} Version/18.0 EdgiOS/136.0.3240.91 Mobile/15E148 Safari/605.1.15`,
    5,
    "Mobile",
    "Edge",
    "136.0.3240.91",
    "iOS",
  ],
  [
    "Opera, iPhone",
    `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1 OPT/5.4.1`,
    5,
    "Mobile",
    "Opera",
    "5.4.1",
    "iOS",
  ],
  [
    "Google app, iPhone",
    `${IPHONE} GSA/371.0.762543316 Mobile/15E148 Safari/604.1`,
    5,
    "Mobile",
    "Google App",
    "371.0.762543316",
    "iOS",
  ],
  [
    "Instagram, iPhone",
    `${IPHONE} Mobile/22F76 Instagram 382.0.0.33.84 (iPhone14,5; iOS 18_5; en_GB; en; scale=3.00; 1170x2532; 736434443)`,
    5,
    "Mobile",
    "Instagram",
    "382.0.0.33.84",
    "iOS",
  ],
  [
    "Facebook, iPhone",
    `${IPHONE} Mobile/22F76 [FBAN/FBIOS;FBAV/515.0.0.53.109;FBBV/733620093;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/18.5;FBSS/3;FBID/phone;FBLC/en_GB;FBOP/5]`,
    5,
    "Mobile",
    "Facebook",
    "515.0.0.53.109",
    "iOS",
  ],
  ["an app's page, iPhone", `${IPHONE} Mobile/15E148`, 5, "Mobile", "iOS WebView", "605.1.15", "iOS"],
  [
    "Safari, iPad asking for phone pages",
    `${IPAD} Version/17.6 Mobile/15E148 Safari/604.1`,
    5,
    "Tablet",
    "Safari",
    "17.6",
    "iOS",
  ],
  ["Safari, iPad as it comes", MAC_SAFARI, 5, "Tablet", "Safari", "17.6", "iOS"],
  [
    "Chrome, iPad as it comes",
    `${MAC} ${WEBKIT} CriOS/137 Version/17.6 Safari/605.1.15`,
    5,
    "Tablet",
    "Chrome",
    "137",
    "iOS",
  ],
  ["Safari, Mac", MAC_SAFARI, 0, "Desktop", "Safari", "17.6", "MacOS"],
  [
    "Chrome, Mac",
    `${MAC} ${BLINK} Chrome/137.0.0.0 Safari/537.36`,
    0,
    "Desktop",
    "Chrome",
    "137.0.0.0",
    "MacOS",
  ],
  [
    "Firefox, Mac",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:139.0) Gecko/20100101 Firefox/139.0",
    0,
    "Desktop",
    "Firefox",
    "139.0",
    "MacOS",
  ],
  [
    "Chrome, Windows",
    `${WINDOWS} ${BLINK} Chrome/137.0.0.0 Safari/537.36`,
    0,
    "Desktop",
    "Chrome",
    "137.0.0.0",
    "Windows",
  ],
  [
    "Chrome, Windows with a touch screen",
    `${WINDOWS} ${BLINK} Chrome/137.0.0.0 Safari/537.36`,
    10,
    "Desktop",
    "Chrome",
    "137.0.0.0",
    "Windows",
  ],
  [
    "Edge, Windows",
    `${WINDOWS} ${BLINK} Chrome/137.0.0.0 Safari/537.36 Edg/137.0.3296.52`,
    0,
    "Desktop",
    "Edge",
    "137.0.3296.52",
    "Windows",
  ],
  [
    "Edge before it was Chromium",
    `${WINDOWS} ${BLINK} Chrome/70.0.3538.102 Safari/537.36 Edge/18.19042`,
    0,
    "Desktop",
    "Edge",
    "18.19042",
    "Windows",
  ],
  [
    "Opera, Windows",
    `${WINDOWS} ${BLINK} Chrome/135.0.0.0 Safari/537.36 OPR/120.0.0.0`,
    0,
    "Desktop",
    "Opera",
    "120.0.0.0",
    "Windows",
  ],
  [
    "Firefox, Windows",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:139.0) Gecko/20100101 Firefox/139.0",
    0,
    "Desktop",
    "Firefox",
    "139.0",
    "Windows",
  ],
  [
    "Firefox, Linux",
    `${LINUX}; rv:139.0) Gecko/20100101 Firefox/139.0`,
    0,
    "Desktop",
    "Firefox",
    "139.0",
    "Linux",
  ],
  [
    "Chrome, Chromebook",
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Chrome/137.0.0.0 Safari/537.36`,
    10,
    "Desktop",
    "Chrome",
    "137.0.0.0",
    "Linux",
  ],
  ["Chrome, Android phone", PIXEL, 5, "Mobile", "Chrome", "137.0.0.0", "Android"],
  [
    "Chrome, Android tablet",
    `${ANDROID} Chrome/137.0.0.0 Safari/537.36`,
    5,
    "Tablet",
    "Chrome",
    "137.0.0.0",
    "Android",
  ],
  [
    "Firefox, Android phone",
    "Mozilla/5.0 (Android 15; Mobile; rv:139.0) Gecko/139.0 Firefox/139.0",
    5,
    "Mobile",
    "Firefox",
    "139.0",
    "Android",
  ],
  [
    "Firefox, Android tablet",
    "Mozilla/5.0 (Android 14; Tablet; rv:139.0) Gecko/139.0 Firefox/139.0",
    5,
    "Tablet",
    "Firefox",
    "139.0",
    "Android",
  ],
  [
    "Edge, Android",
    `${ANDROID} Chrome/137.0.0.0 Mobile Safari/537.36 EdgA/137.0.0.0`,
    5,
    "Mobile",
    "Edge",
    "137.0.0.0",
    "Android",
  ],
  [
    "Opera, Android",
    `${ANDROID} Chrome/135.0.0.0 Mobile Safari/537.36 OPR/90.0.0.0`,
    5,
    "Mobile",
    "Opera",
    "90.0.0.0",
    "Android",
  ],
  [
    "Samsung Internet, phone",
    `${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    5,
    "Mobile",
    "Samsung Internet",
    "28.0",
    "Android",
  ],
  [
    "Samsung Internet, tablet",
    `${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Safari/537.36`,
    5,
    "Tablet",
    "Samsung Internet",
    "28.0",
    "Android",
  ],
  [
    "Instagram, Android",
    `Mozilla/5.0 (Linux; Android 15; SM-S921B Build/AP3A.240905.015.A2; wv) ${BLINK} Version/4.0 Chrome/136.0.7103.125 Mobile Safari/537.36 Instagram 381.0.0.46.105 Android (35/15; 480dpi; 1080x2125; samsung; SM-S921B; e1s; s5e9945; en_GB; 732837382)`,
    5,
    "Mobile",
    "Instagram",
    "381.0.0.46.105",
    "Android",
  ],
  [
    "Facebook, Android",
    `Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A.240205.004; wv) ${BLINK} Version/4.0 Chrome/136.0.7103.125 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/514.0.0.44.71;]`,
    5,
    "Mobile",
    "Facebook",
    "514.0.0.44.71",
    "Android",
  ],
  [
    "an app's page, Android",
    `Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A.240205.004; wv) ${BLINK} Version/4.0 Chrome/136.0.7103.125 Mobile Safari/537.36`,
    5,
    "Mobile",
    "Android WebView",
    "136.0.7103.125",
    "Android",
  ],
  ["a program", "curl/8.5.0", 0, "Desktop", "Unknown", "", "Unknown"],
];

describe("what a user agent says", () => {
  it.each(AGENTS)("%s", (_, userAgent, maxTouchPoints, type, name, version, system) => {
    const agent = { userAgent, maxTouchPoints };
    expect(deviceType(agent)).toBe(type);
    expect(browser(agent)).toEqual({ name, version });
    expect(operatingSystem(agent)).toBe(system);
  });

  it("is iOS Safari only for Safari itself", () => {
    const found = AGENTS.filter(([, userAgent, maxTouchPoints]) =>
      isIosSafari({ userAgent, maxTouchPoints }),
    );
    expect(found.map(([name]) => name)).toEqual([
      "Safari, iPhone",
      "Safari, iPad asking for phone pages",
      "Safari, iPad as it comes",
    ]);
  });

  it("is told together with screen, zone and language", () => {
    const agent = { userAgent: PIXEL, maxTouchPoints: 5, language: "en-GB" };
    const facts = describeDevice(agent, { width: 412, height: 915 });
    expect(facts).toMatchObject({ screenResolution: "412x915", language: "en-GB", deviceType: "Mobile" });
    expect(facts.timezone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });
});
