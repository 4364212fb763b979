/** What the browser says about itself, in the words the API stores. Pure: the caller hands in the sources. */
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

/** Order matters: Edge and Chrome on any system also say Safari, Edge also says Chrome. */
const BROWSERS: readonly (readonly [name: string, version: RegExp])[] = [
  ["Edge", /(?:Edg|EdgA|EdgiOS|Edge)\/([\d.]+)/],
  ["Firefox", /(?:Firefox|FxiOS)\/([\d.]+)/],
  ["Chrome", /(?:Chrome|CriOS)\/([\d.]+)/],
  ["Safari", /Version\/([\d.]+).*Safari/],
];

/** Order matters: iPhones say "like Mac OS X", Android says Linux. */
const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ["Windows", /Windows/],
  ["iOS", /iPhone|iPad|iPod/],
  ["MacOS", /Macintosh|Mac OS X/],
  ["Android", /Android/],
  ["Linux", /Linux|X11|CrOS/],
];

export function deviceType(userAgent: string): DeviceFacts["deviceType"] {
  if (
    /iPad|Tablet|PlayBook|Silk/.test(userAgent) ||
    (/Android/.test(userAgent) && !/Mobile/.test(userAgent))
  ) {
    return "Tablet";
  }
  return /Mobi|iPhone|iPod|Android/.test(userAgent) ? "Mobile" : "Desktop";
}

/** Name and version; "Unknown" and "" when no rule fits. */
export function browser(userAgent: string): { name: string; version: string } {
  for (const [name, version] of BROWSERS) {
    const found = version.exec(userAgent);
    if (found) {
      return { name, version: found[1] ?? "" };
    }
  }
  return { name: "Unknown", version: "" };
}

export function operatingSystem(userAgent: string): string {
  return SYSTEMS.find(([, sign]) => sign.test(userAgent))?.[0] ?? "Unknown";
}

/** Safari itself on an iPhone or iPad; Chrome, Firefox and Edge there are other browsers. */
export function isIosSafari(userAgent: string): boolean {
  return operatingSystem(userAgent) === "iOS" && browser(userAgent).name === "Safari";
}

export function describeDevice(
  agent: Pick<Navigator, "userAgent" | "language">,
  size: Pick<Screen, "width" | "height">,
): DeviceFacts {
  const { name, version } = browser(agent.userAgent);
  return {
    userAgent: agent.userAgent,
    deviceType: deviceType(agent.userAgent),
    browserName: name,
    browserVersion: version,
    operatingSystem: operatingSystem(agent.userAgent),
    screenResolution: `${size.width}x${size.height}`,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    language: agent.language,
  };
}
