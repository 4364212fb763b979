/** The Chromium that comes inside a package, for machines where no browser can be installed. */
import bundled from "@sparticuz/chromium";

/** Flags of the bundle that would test another browser than visitors have, or that crash with several pages. */
const UNWANTED = ["--disable-web-security", "--allow-running-insecure-content", "--single-process"];

export async function browserLaunch() {
  return {
    executablePath: await bundled.executablePath(),
    args: bundled.args.filter((flag) => !UNWANTED.includes(flag) && !flag.startsWith("--headless")),
  };
}
