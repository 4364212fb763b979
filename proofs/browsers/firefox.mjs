/** Firefox over WebDriver BiDi. */
import puppeteer from "puppeteer-core";
import { NEEDED } from "./installed.mjs";

/** A window of this size. `calm`: as for visitors who asked for reduced motion. `eager`: go() waits for no part of a page. */
export async function openFirefox({ width, height, calm, eager = false }) {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: NEEDED.Firefox.programs.firefox,
    defaultViewport: null,
    extraPrefsFirefox: { "ui.prefersReducedMotion": calm ? 1 : 0, "intl.accept_languages": "en-GB" },
  });
  const page = await browser.newPage();
  await page.setViewport({ width, height }).catch((cause) => {
    // Firefox 140 knows the size, and not the orientation that goes with it.
    if (!/unknown command.*Orientation|Orientation.*unknown command/s.test(cause.message)) {
      throw cause;
    }
  });
  await page.waitForFunction(
    (w, h) => window.innerWidth === w && window.innerHeight === h,
    {},
    width,
    height,
  );
  return {
    version: (await browser.version()).replace("firefox/", ""),
    go: (address) => page.goto(address, { waitUntil: eager ? [] : "load" }),
    run: (code, ...values) => page.evaluate(code, ...values),
    click: (place) => page.click(place),
    write: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    close: () => browser.close(),
  };
}
