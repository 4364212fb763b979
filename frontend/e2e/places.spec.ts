/** Where a path, a link or a press comes to rest: 80 px under the window's top, and there it stays until the first input. */
import { expect, type Page, test } from "@playwright/test";
import { HOME_SECTIONS, LANDING_SECTIONS } from "../src/router/sectionTargets";
import { frames, hold, openRunning } from "./support/page";
import { expectAtRest, expectTop, PLACE, topOf } from "./support/place";

const LANDINGS = ["/dental-implants", "/best-dental-implants-turkey"] as const;

/** Every place at each width: those of a landing page, which are the same on both, on one at one width and on the other at the other. */
const placesAt = (width: 390 | 1440): (readonly [path: string, section: string])[] => [
  ...Object.entries(HOME_SECTIONS),
  ...Object.entries(LANDING_SECTIONS).map(
    ([name, section], number) => [`${LANDINGS[(number + Number(width === 390)) % 2]}/${name}`, section] as const,
  ),
];

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

for (const { width, motion, slow } of [
  { width: 390, motion: "reduce", slow: true },
  { width: 390, motion: "no-preference", slow: false },
  { width: 1440, motion: "reduce", slow: false },
  { width: 1440, motion: "no-preference", slow: false },
] as const) {
  const kind = `${width} px, motion: ${motion}${slow ? ", slow machine" : ""}`;
  const places = placesAt(width).filter((_, number) => (number % 2 === 0) === (motion === "reduce"));
  test(`paths come to rest on their section (${kind})`, { tag: "@engines" }, async ({ page, browserName }) => {
    test.setTimeout(300_000);
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ reducedMotion: motion });
    await (slow && browserName === "chromium" ? slowDown(page) : undefined);
    for (const [path, section] of places) {
      await page.goto(path);
      await expectAtRest(page, section, path);
      const bar = await page.getByRole("complementary", { name: "The clinic in figures" }).boundingBox();
      expect((bar?.y ?? 99) + (bar?.height ?? 99)).toBeLessThanOrEqual(80);
      await expect(page.locator("header[data-state=back]")).toHaveCount(0);
    }
  });
}

for (const width of [390, 1440]) {
  test(`offers that have run out above move no place, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ reducedMotion: width === 390 ? "no-preference" : "reduce" });
    await page.clock.setFixedTime(new Date("2031-01-01T09:00:00Z"));
    // Each place below the offers at one of the widths.
    const below = Object.entries(HOME_SECTIONS).slice(2, 7);
    for (const [path, section] of below.filter((_, number) => (number % 2 === 0) === (width === 390))) {
      await page.goto(path);
      await expectAtRest(page, section, path);
    }
    // They go while the browser is on its way.
    const run = await hold(page, "**/assets/page-*.js");
    await page.goto("/");
    await page.locator("#hero-actions").getByRole("link", { name: "Get Free Consultation" }).click();
    run();
    await expectAtRest(page, "contact-form", "the hero's button");
  });
}

test("whoever scrolls is not taken back, and on the way up the header comes", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/journey");
  await expectAtRest(page, "patient-journey", "/journey");
  await page.mouse.move(600, 400);
  await page.mouse.wheel(0, 600);
  await expectTop(page, "patient-journey", PLACE - 600);
  const header = page.getByRole("banner");
  await expect(header).not.toBeInViewport();
  await page.mouse.wheel(0, -100);
  await expect(header).toBeInViewport();
  expect((await header.boundingBox())?.y).toBeGreaterThanOrEqual(39);
  await page.mouse.wheel(0, 100);
  await expect(header).not.toBeInViewport();
  await page.locator("#premium-treatments").evaluate((section: HTMLElement) => {
    section.style.paddingTop = "400px";
  });
  // The page would be taken back in the frame after.
  await frames(page, 5);
  expect(Math.abs((await topOf(page, "patient-journey")) - PLACE)).toBeGreaterThan(100);
});

test("a press of a section's link names it in the address, and Back leads to where one was", {
  tag: "@engines",
}, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openRunning(page, "/");
  await page.locator("#hero-actions").getByRole("link", { name: "Get Free Consultation" }).click();
  await expectAtRest(page, "contact-form", "the hero's button");
  await expect(page).toHaveURL(/\/#contact-form$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});

test("an address in capitals leads to its place", async ({ page }) => {
  await page.goto("/Dental-Implants/PRICING?utm_source=print");
  await expect(page).toHaveURL(/\/dental-implants\/pricing\?utm_source=print$/);
  await expectAtRest(page, "why-choose-turkey", "capitals");
});
