/** Photographs of drawn pages, by the Chromium that the browser tests use. */
import { chromium } from "@playwright/test";
import { browserLaunch } from "./browserLaunch.mjs";

/** `shots`: {html, width, height, transparent}; gives a PNG each, in their order. */
export async function photograph(shots) {
  const browser = await chromium.launch(await browserLaunch());
  const pictures = [];
  for (const { html, width, height } of shots) {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.setContent(html, { waitUntil: "load" });
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    pictures.push(await page.screenshot({ omitBackground: true }));
    await page.close();
  }
  await browser.close();
  return pictures;
}
