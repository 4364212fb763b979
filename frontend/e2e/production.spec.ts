/** The site as it would go live: without what the clinic has not proven yet. */
import { expect, test } from "@playwright/test";
import { violationsOf } from "./support/axe";
import { type OwnSite, startOwnSite } from "./support/ownSite";

let site: OwnSite;

test.beforeAll(async () => {
  site = await startOwnSite({ SHOW_SAMPLES: "no", ATTRIBUTION_STORAGE: "after-consent" });
});
test.afterAll(() => site.close());

for (const width of [360, 1440]) {
  test(`a path to offers that do not run leads to what follows them, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (const [path, id, next] of [
      ["/offers", "special-offers", "how-an-implant-works"],
      ["/promotions", "special-promotions", "contact-form"],
    ] as const) {
      await page.goto(`${site.url}${path}`);
      const anchor = page.locator(`#${id}`);
      await expect(anchor).toBeAttached();
      const box = () => anchor.evaluate((found) => found.getBoundingClientRect().toJSON());
      await expect.poll(async () => Math.round((await box()).top), { message: path }).toBe(80);
      expect((await box()).height).toBe(0);
      const below = await page.locator(`#${next}`).evaluate((found) => found.getBoundingClientRect().top);
      expect(below).toBeLessThan(80 + 140);
    }
  });

  test(`what is in a price opens in place of the comparison, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${site.url}/comparison`, { waitUntil: "networkidle" });
    const block = page.getByRole("region", { name: "What is in the price" });
    await expect(block.getByText("Abutment and crown: a zirconia crown is £160")).toBeVisible();
    const arch = block.locator("summary", { hasText: "All-on-4" });
    await arch.focus();
    await page.keyboard.press("Enter");
    await expect(block.getByText("Four implants and placement")).toBeVisible();
    expect(await violationsOf(page, "#why-choose-turkey")).toEqual([]);
  });
}

test("no Sample tag, and no claim of the register, on any page", async ({ page }) => {
  for (const path of ["/", "/dental-implants", "/thank-you", "/no-such-page"]) {
    await page.goto(`${site.url}${path}`, { waitUntil: "networkidle" });
    const words = await page.locator("body").innerText();
    expect(words, path).not.toMatch(/\bsample\b|15.year warranty|4\.7 rating|30\+ dentists/i);
  }
});
