/**
 * Screenshots of pages at phone, tablet and desktop width, into screenshots/.
 * BASE_URL=http://127.0.0.1:8000 npm run screenshots -- / /thank-you
 */
import { mkdir } from "node:fs/promises";
import { chromium } from "@playwright/test";
import bundled from "@sparticuz/chromium";

const WIDTHS = [360, 768, 1440];
const base = process.env.BASE_URL;
if (!base) {
  console.error("Set BASE_URL to the address of the running site, for example http://127.0.0.1:8000");
  process.exit(1);
}
const named = process.argv.slice(2);
const routes = named.length > 0 ? named : ["/", "/dental-implants", "/thank-you", "/no-such-page"];

await mkdir("screenshots", { recursive: true });
const browser = await chromium.launch({
  executablePath: await bundled.executablePath(),
  args: bundled.args.filter((flag) => flag !== "--single-process" && !flag.startsWith("--headless")),
});
for (const width of WIDTHS) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, locale: "en-GB" });
  for (const route of routes) {
    await page.goto(new URL(route, base).href, { waitUntil: "networkidle" });
    const name = route.replaceAll("/", "-").replace(/^-/, "") || "home";
    await page.screenshot({
      path: `screenshots/${name}-${width}.png`,
      fullPage: true,
      animations: "disabled",
    });
    console.log(`screenshots/${name}-${width}.png`);
  }
  await page.close();
}
await browser.close();
