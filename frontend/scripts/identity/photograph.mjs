/** Screenshots of pages, taken with the Chromium of the browser tests. */
import { chromium } from "@playwright/test";
import { browserLaunch } from "../browserLaunch.mjs";

/** `shots`: {html, width, height, jpeg?: its quality}; returns a PNG or JPEG for each, in order. */
export async function photograph(shots) {
  const browser = await chromium.launch(await browserLaunch());
  const pictures = [];
  for (const { html, width, height, jpeg } of shots) {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.setContent(html, { waitUntil: "load" });
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    pictures.push(await page.screenshot(jpeg ? { type: "jpeg", quality: jpeg } : { omitBackground: true }));
    await page.close();
  }
  await browser.close();
  return pictures;
}
