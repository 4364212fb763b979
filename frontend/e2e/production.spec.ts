/** The site as it would go live: with the clinic's own numbers, and without what it has not proven yet. */
import { expect, test } from "@playwright/test";
import { FormBlock } from "./support/form";
import { type OwnSite, startOwnSite } from "./support/ownSite";
import { openRunning } from "./support/page";
import { expectAtRest, PLACE, topOf } from "./support/place";

let site: OwnSite;

test.beforeAll(async () => {
  const numbers = { CLINIC_PHONE: "+90 212 555 00 11", WHATSAPP_NUMBER: "+90 532 555 00 22" };
  site = await startOwnSite({ SHOW_SAMPLES: "no", ATTRIBUTION_STORAGE: "after-consent", ...numbers });
});
test.afterAll(() => site.close());
// One after another: a site is started for all of them.
test.describe.configure({ mode: "default" });

for (const width of [360, 1440]) {
  test(`a path to offers that do not run leads to what follows them, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (const [path, id, next] of [
      ["/offers", "special-offers", "before-you-decide"],
      ["/promotions", "special-promotions", "contact-form"],
    ] as const) {
      await page.goto(`${site.url}${path}`);
      const anchor = page.locator(`#${id}`);
      await expect(anchor).toBeAttached();
      await expectAtRest(page, id, path);
      expect(await anchor.evaluate((found) => found.getBoundingClientRect().height)).toBe(0);
      expect(await topOf(page, next)).toBeLessThan(PLACE + 140);
    }
  });
}

test("a landing page has its picture in the first screen", async ({ page }) => {
  for (const width of [390, 768, 1280]) {
    const height = width === 768 ? 1024 : 844;
    await page.setViewportSize({ width, height });
    await openRunning(page, `${site.url}/dental-implants`);
    const picture = page.getByRole("img", { name: /consultation corner/ });
    await expect(picture).toHaveJSProperty("complete", true);
    const box = await picture.boundingBox();
    expect((box?.y ?? 999) + (box?.height ?? 999), `${width} px`).toBeLessThanOrEqual(420);
    const first = await page.getByRole("textbox", { name: "Name", exact: true }).boundingBox();
    expect(first?.y, `${width} px`).toBeLessThan(height);
  }
});

test("no visit fetches the code of tooltips, which samples alone have", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()));
  await openRunning(page, `${site.url}/dental-implants`);
  await new FormBlock(page).ready();
  await page.waitForLoadState("networkidle");
  const codes = await Promise.all(scripts.map(async (url) => (await page.request.get(url)).text()));
  expect(codes.filter((code) => code.includes("toast")).length).toBeGreaterThan(0);
  expect(codes.filter((code) => code.includes("tip-opener"))).toEqual([]);
});

test("every page leads to the clinic's own numbers, states nothing unproven, and hydrates", async ({ page }) => {
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  for (const path of ["/", "/dental-implants", "/thank-you", "/privacy", "/no-such-page"]) {
    await openRunning(page, site.url + path);
    const links = await page
      .locator("a[href^='tel:'], a[href*='wa.me']")
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href.replace(/\?.*/, "")));
    expect(new Set(links), path).toEqual(new Set(["tel:+902125550011", "https://wa.me/905325550022"]));
    expect(await page.content()).not.toMatch(/212 000 00 00|902120000000|\{\{/);
    expect(await page.locator("body").innerText(), path).not.toMatch(/\bsample\b|15.year warranty|30\+ dentists/i);
  }
  expect(complaints.filter((text) => !/404/.test(text))).toEqual([]);
});
