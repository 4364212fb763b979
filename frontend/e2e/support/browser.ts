/** The Chromium that the journeys run in: the one inside a package, or with CHROMIUM=/usr/bin/chromium the machine's own. */
import bundled from "@sparticuz/chromium";

/** No page draws with WebGL, and its software twin takes half the processor of a journey. */
bundled.setGraphicsMode = false;

/** Flags of the bundle that would test another browser than visitors have, or that crash with several pages. */
const UNWANTED = ["--disable-web-security", "--allow-running-insecure-content", "--single-process"];
/** An installed browser must neither look for updates meanwhile nor need a sandbox that root cannot have. */
const OWN = [
  "--no-sandbox",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function browserLaunch(own = process.env.CHROMIUM ?? "") {
  if (own) {
    return { executablePath: own, args: OWN };
  }
  return {
    executablePath: await bundled.executablePath(),
    args: bundled.args.filter((flag) => !UNWANTED.includes(flag) && !flag.startsWith("--headless")),
  };
}
