import bundled from "@sparticuz/chromium";

/** Flags of the bundle that would test another browser than visitors have, crash with several pages, or load it anew for each. */
const UNWANTED = ["--disable-web-security", "--allow-running-insecure-content", "--single-process", "--no-zygote"];

/** How the Chromium inside a package is started. */
export async function browserLaunch() {
  // No page draws with WebGL, and its software twin takes half the processor of a journey.
  bundled.setGraphicsMode = false;
  return {
    executablePath: await bundled.executablePath(),
    args: bundled.args.filter((flag) => !UNWANTED.includes(flag) && !flag.startsWith("--headless")),
  };
}
