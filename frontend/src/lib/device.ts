/** What the browser reports about itself, in the terms that the API stores. Pure: the caller passes in the sources. */
import { readFacts } from "./facts";

export interface DeviceFacts {
  userAgent: string;
  deviceType: "Desktop" | "Mobile" | "Tablet";
  browserName: string;
  browserVersion: string;
  operatingSystem: string;
  screenResolution: string;
  timezone: string;
  language: string;
}

/** `maxTouchPoints` identifies iPads, whose Safari claims to run on a Mac: no Mac has a touch screen. */
export type Agent = Pick<Navigator, "userAgent" | "maxTouchPoints">;

/** Order matters: nearly every user agent also contains Chrome or Safari, and in-app browsers name the app. */
const BROWSERS: readonly (readonly [name: string, version: RegExp])[] = [
  ["Facebook", /\[FB(?:AN|_IAB)\/(?:.*FBAV\/([\d.]+))?/],
  ["Instagram", /Instagram ([\d.]+)/],
  ["Google App", /GSA\/([\d.]+)/],
  ["Edge", /Edg(?:e|A|iOS)?\/([\d.]+)/],
  ["Opera", /(?:OP[RTX]|OPiOS)\/([\d.]+)/],
  ["Samsung Internet", /SamsungBrowser\/([\d.]+)/],
  ["Firefox", /(?:Firefox|FxiOS)\/([\d.]+)/],
  ["Android WebView", /; wv\).*Chrome\/([\d.]+)/],
  ["Chrome", /(?:Chrome|CriOS)\/([\d.]+)/],
  ["Safari", /Version\/([\d.]+).*Safari/],
  ["iOS WebView", /iP(?:hone|ad|od).*AppleWebKit\/([\d.]+)/],
];

/** Order matters: iPhones contain "like Mac OS X", Android contains Linux. */
const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ["Windows", /Windows/],
  ["iOS", /iPhone|iPad|iPod/],
  ["MacOS", /Macintosh|Mac OS X/],
  ["Android", /Android/],
  ["Linux", /Linux|X11|CrOS/],
];

function isIpadAsMac({ userAgent, maxTouchPoints }: Agent): boolean {
  return /Macintosh/.test(userAgent) && maxTouchPoints > 1;
}

export function deviceType(agent: Agent): DeviceFacts["deviceType"] {
  const { userAgent } = agent;
  const tablet = /iPad|Tablet(?! PC)|PlayBook|Silk/.test(userAgent);
  if (tablet || isIpadAsMac(agent) || (/Android/.test(userAgent) && !/Mobile/.test(userAgent))) {
    return "Tablet";
  }
  return /Mobi|iPhone|iPod|Android/.test(userAgent) ? "Mobile" : "Desktop";
}

/** Name and version; "Unknown" and "" when no rule fits. */
export function browser({ userAgent }: Pick<Agent, "userAgent">): { name: string; version: string } {
  for (const [name, version] of BROWSERS) {
    const found = version.exec(userAgent);
    if (found) {
      return { name, version: found[1] ?? "" };
    }
  }
  return { name: "Unknown", version: "" };
}

export function operatingSystem(agent: Agent): string {
  const named = SYSTEMS.find(([, sign]) => sign.test(agent.userAgent))?.[0];
  return isIpadAsMac(agent) ? "iOS" : (named ?? "Unknown");
}

/** Safari itself on an iPhone or iPad; Chrome, Firefox and Edge there are other browsers. */
export function isIosSafari(agent: Agent): boolean {
  return operatingSystem(agent) === "iOS" && browser(agent).name === "Safari";
}

export function describeDevice(
  agent: Agent & Pick<Navigator, "language">,
  size: Pick<Screen, "width" | "height">,
): Partial<DeviceFacts> {
  return readFacts<DeviceFacts>({
    userAgent: () => agent.userAgent,
    deviceType: () => deviceType(agent),
    browserName: () => browser(agent).name,
    browserVersion: () => browser(agent).version,
    operatingSystem: () => operatingSystem(agent),
    screenResolution: () => `${size.width}x${size.height}`,
    timezone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    language: () => agent.language,
  });
}
