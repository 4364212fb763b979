import { describe, expect, it } from "vitest";
import { browser, describeDevice, deviceType, isIosSafari, operatingSystem } from "./device";

const WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const BLINK = "AppleWebKit/537.36 (KHTML, like Gecko)";
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT}`;
const IPAD = `Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) ${WEBKIT}`;
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const ANDROID = `Mozilla/5.0 (Linux; Android 10; K) ${BLINK}`;

const IPHONE_SAFARI = `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`;
const IPHONE_CHROME = `${IPHONE} CriOS/137.0.7151.51 Mobile/15E148 Safari/604.1`;
const MAC_SAFARI = `${MAC} ${WEBKIT} Version/17.6 Safari/605.1.15`;
const PIXEL = `${ANDROID} Chrome/137.0.0.0 Mobile Safari/537.36`;

/** One a line: name, touch points, device type, browser, its version, system, user agent. */
const AGENTS = `
Safari, iPhone | 5 | Mobile | Safari | 18.5 | iOS | ${IPHONE_SAFARI}
Chrome, iPhone | 5 | Mobile | Chrome | 137.0.7151.51 | iOS | ${IPHONE_CHROME}
Firefox, iPhone | 5 | Mobile | Firefox | 139.0 | iOS | ${IPHONE} FxiOS/139.0 Mobile/15E148 Safari/605.1.15
Edge, iPhone | 5 | Mobile | Edge | 136.0.3240.91 | iOS | ${IPHONE} Version/18.0 EdgiOS/136.0.3240.91 Mobile/15E148 Safari/605.1.15
Opera, iPhone | 5 | Mobile | Opera | 5.4.1 | iOS | ${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1 OPT/5.4.1
Google app, iPhone | 5 | Mobile | Google App | 371.0.762543316 | iOS | ${IPHONE} GSA/371.0.762543316 Mobile/15E148 Safari/604.1
Instagram, iPhone | 5 | Mobile | Instagram | 382.0.0.33.84 | iOS | ${IPHONE} Mobile/22F76 Instagram 382.0.0.33.84 (iPhone14,5; iOS 18_5; en_GB; en; scale=3.00; 1170x2532; 736434443)
Facebook, iPhone | 5 | Mobile | Facebook | 515.0.0.53.109 | iOS | ${IPHONE} Mobile/22F76 [FBAN/FBIOS;FBAV/515.0.0.53.109;FBBV/733620093;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/18.5;FBSS/3;FBID/phone;FBLC/en_GB;FBOP/5]
an app's page, iPhone | 5 | Mobile | iOS WebView | 605.1.15 | iOS | ${IPHONE} Mobile/15E148
Safari, iPad asking for phone pages | 5 | Tablet | Safari | 17.6 | iOS | ${IPAD} Version/17.6 Mobile/15E148 Safari/604.1
Safari, iPad as it comes | 5 | Tablet | Safari | 17.6 | iOS | ${MAC_SAFARI}
Chrome, iPad as it comes | 5 | Tablet | Chrome | 137 | iOS | ${MAC} ${WEBKIT} CriOS/137 Version/17.6 Safari/605.1.15
Safari, Mac | 0 | Desktop | Safari | 17.6 | MacOS | ${MAC_SAFARI}
Chrome, Mac | 0 | Desktop | Chrome | 137.0.0.0 | MacOS | ${MAC} ${BLINK} Chrome/137.0.0.0 Safari/537.36
Firefox, Mac | 0 | Desktop | Firefox | 139.0 | MacOS | Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:139.0) Gecko/20100101 Firefox/139.0
Chrome, Windows | 0 | Desktop | Chrome | 137.0.0.0 | Windows | ${WINDOWS} ${BLINK} Chrome/137.0.0.0 Safari/537.36
Chrome, Windows with a touch screen | 10 | Desktop | Chrome | 137.0.0.0 | Windows | ${WINDOWS} ${BLINK} Chrome/137.0.0.0 Safari/537.36
Edge, Windows | 0 | Desktop | Edge | 137.0.3296.52 | Windows | ${WINDOWS} ${BLINK} Chrome/137.0.0.0 Safari/537.36 Edg/137.0.3296.52
Edge before it was Chromium | 0 | Desktop | Edge | 18.19042 | Windows | ${WINDOWS} ${BLINK} Chrome/70.0.3538.102 Safari/537.36 Edge/18.19042
Opera, Windows | 0 | Desktop | Opera | 120.0.0.0 | Windows | ${WINDOWS} ${BLINK} Chrome/135.0.0.0 Safari/537.36 OPR/120.0.0.0
Firefox, Windows | 0 | Desktop | Firefox | 139.0 | Windows | Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:139.0) Gecko/20100101 Firefox/139.0
Firefox, Linux | 0 | Desktop | Firefox | 139.0 | Linux | Mozilla/5.0 (X11; Linux x86_64; rv:139.0) Gecko/20100101 Firefox/139.0
Chrome, Chromebook | 10 | Desktop | Chrome | 137.0.0.0 | Linux | Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Chrome/137.0.0.0 Safari/537.36
Chrome, Android phone | 5 | Mobile | Chrome | 137.0.0.0 | Android | ${PIXEL}
Chrome, Android tablet | 5 | Tablet | Chrome | 137.0.0.0 | Android | ${ANDROID} Chrome/137.0.0.0 Safari/537.36
Firefox, Android phone | 5 | Mobile | Firefox | 139.0 | Android | Mozilla/5.0 (Android 15; Mobile; rv:139.0) Gecko/139.0 Firefox/139.0
Firefox, Android tablet | 5 | Tablet | Firefox | 139.0 | Android | Mozilla/5.0 (Android 14; Tablet; rv:139.0) Gecko/139.0 Firefox/139.0
Edge, Android | 5 | Mobile | Edge | 137.0.0.0 | Android | ${ANDROID} Chrome/137.0.0.0 Mobile Safari/537.36 EdgA/137.0.0.0
Opera, Android | 5 | Mobile | Opera | 90.0.0.0 | Android | ${ANDROID} Chrome/135.0.0.0 Mobile Safari/537.36 OPR/90.0.0.0
Samsung Internet, phone | 5 | Mobile | Samsung Internet | 28.0 | Android | ${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36
Samsung Internet, tablet | 5 | Tablet | Samsung Internet | 28.0 | Android | ${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Safari/537.36
Instagram, Android | 5 | Mobile | Instagram | 381.0.0.46.105 | Android | Mozilla/5.0 (Linux; Android 15; SM-S921B Build/AP3A.240905.015.A2; wv) ${BLINK} Version/4.0 Chrome/136.0.7103.125 Mobile Safari/537.36 Instagram 381.0.0.46.105 Android (35/15; 480dpi; 1080x2125; samsung; SM-S921B; e1s; s5e9945; en_GB; 732837382)
Facebook, Android | 5 | Mobile | Facebook | 514.0.0.44.71 | Android | Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A.240205.004; wv) ${BLINK} Version/4.0 Chrome/136.0.7103.125 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/514.0.0.44.71;]
an app's page, Android | 5 | Mobile | Android WebView | 136.0.7103.125 | Android | Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A.240205.004; wv) ${BLINK} Version/4.0 Chrome/136.0.7103.125 Mobile Safari/537.36
a program | 0 | Desktop | Unknown |  | Unknown | curl/8.5.0
`
  .trim()
  .split("\n")
  .map((line) => line.split(" | "))
  .map(([name = "", touch, type, browserName, version, system, userAgent = ""]) => ({
    name,
    agent: { userAgent, maxTouchPoints: Number(touch) },
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

  it("is described together with screen, zone and language", () => {
    const agent = { userAgent: PIXEL, maxTouchPoints: 5, language: "en-GB" };
    const facts = describeDevice(agent, { width: 412, height: 915 });
    expect(facts).toMatchObject({ screenResolution: "412x915", language: "en-GB", deviceType: "Mobile" });
    expect(facts.timezone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });
});
