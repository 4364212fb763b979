/**
 * Presses everything on pages that can be pressed, as on a phone with a processor six times slower, and prints as
 * JSON how many milliseconds each press takes until the next paint (by the browser's own event timing, in steps of 8 ms).
 * BASE_URL=http://127.0.0.1:8000 node scripts/presses.mjs / /dental-implants
 */
import { setTimeout as pause } from "node:timers/promises";
import { chromium } from "@playwright/test";
import { browserLaunch } from "./browserLaunch.mjs";

const base = process.env.BASE_URL;
const SLOWER = 6;
/** Until what a press has started is over, and after the keyboard has closed what it opened. */
const PRESS_MS = 700;
const CLOSE_MS = 400;

function watch() {
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      window.longest = interactionId ? Math.max(window.longest, duration) : window.longest;
    }
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
}

const nameOf = (element) =>
  (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 60);

/** By name of what is pressed: the longest of its presses. */
async function pressesOf(browser, path) {
  const page = await browser.newPage({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  });
  await page.addInitScript(watch);
  await page.goto(new URL(path, base).href, { waitUntil: "networkidle" });
  // What is near the window only begins to live when it is reached.
  for (let part = 0; part < 30; part += 1) {
    await page.mouse.wheel(0, 600);
    await pause(100);
  }
  await page.waitForLoadState("networkidle");
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const found = {};
  for (const place of await page.locator("button, summary").all()) {
    if (!(await place.isVisible()) || (await place.isDisabled())) {
      continue;
    }
    await place.evaluate((element) => element.scrollIntoView({ block: "center", behavior: "instant" }));
    await pause(CLOSE_MS);
    const name = await place.evaluate(nameOf);
    await page.evaluate(() => {
      window.longest = 0;
    });
    // Something may lie over it, such as the bar at the foot, or it moves: then nothing is measured.
    await place.tap({ timeout: 3000 }).catch(() => undefined);
    await pause(PRESS_MS);
    const longest = await page.evaluate(() => window.longest);
    found[name] = Math.max(found[name] ?? 0, longest);
    await page.keyboard.press("Escape");
    await pause(CLOSE_MS);
  }
  await page.close();
  return found;
}

const browser = await chromium.launch(await browserLaunch());
const results = {};
for (const path of process.argv.slice(2)) {
  results[path] = await pressesOf(browser, path);
}
await browser.close();
console.log(JSON.stringify(results));
