import { expect, type Page, test } from "@playwright/test";
import { violationsOf } from "./support/axe";
import { allHydrated, frames, layoutShift, openRunning } from "./support/page";

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  for (const path of ["/", "/dental-implants", "/treatments/all-on-4"]) {
    test(`nothing moves at ${path} when the fonts come late, at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await page.route("**/*.woff2", async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        await route.continue();
      });
      await openRunning(page, path);
      await page.evaluate(() => document.fonts.ready);
      await frames(page, 3);
      expect(await layoutShift(page)).toBeLessThan(0.01);
    });
  }
}

/** Lays out what the browser leaves for later. */
const layOutAll = (page: Page) =>
  page.evaluate(() => {
    delete document.documentElement.dataset.fresh;
  });

test("nothing moves while the page is read from top to bottom", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openRunning(page, "/");
  const end = () => page.evaluate(() => document.body.scrollHeight);
  for (let y = 0; y < (await end()); y += 400) {
    await page.evaluate((top) => scrollTo({ top, behavior: "instant" }), y);
    await frames(page, 6);
  }
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
  await page.setViewportSize({ width: 390, height: 844 });
  await layOutAll(page);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(13_600);
});

test("treatment details open without any script, as buttons with a name", async ({ browser, baseURL }) => {
  const page = await browser.newPage({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/");
    const card = page.locator("#premium-treatments li:has(h3)").nth(3);
    await expect(card.getByText("Not included")).toBeHidden();
    await card.locator("summary").click({ position: { x: 200, y: 30 } });
    await expect(card.getByText("Not included")).toBeVisible();
    await expect(card.locator("summary")).toHaveAccessibleName("Hide details All-on-4");
  }
  await page.close();
});

test("the gallery's pictures are asked for when they are near, and not before", async ({ page }) => {
  const asked = new Set<string>();
  page.on("request", (request) => {
    const [, room] = /\/(reception|treatment-room|scanner|laboratory)-[^/]+$/.exec(request.url()) ?? [];
    if (room) {
      asked.add(room);
    }
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await openRunning(page, "/");
  await allHydrated(page);
  // What is above the gallery must not move it any more.
  await layOutAll(page);
  const list = page.locator("#clinic-showcase ul").last();
  const scroll = (above: number) =>
    list.evaluate(
      (found, by) => scrollBy({ top: found.getBoundingClientRect().top - innerHeight - by, behavior: "instant" }),
      above,
    );
  await scroll(100);
  await frames(page, 10);
  expect([...asked]).toEqual([]);
  await scroll(-40);
  // With a film above them they are one row.
  await expect.poll(() => [...asked].sort()).toEqual(["laboratory", "reception", "scanner", "treatment-room"]);
});

test("a long first name stays within the thank-you page", async ({ page }) => {
  for (const [length, width] of [
    [35, 390],
    [80, 390],
    [80, 1280],
  ] as const) {
    const receipt = {
      reference: "123456",
      firstName: "A".repeat(length),
      call: "Our experts will call you within 24 hours.",
    };
    await page.setViewportSize({ width, height: 844 });
    await page.goto("/thank-you?reference=123456");
    await page.evaluate((usr) => history.replaceState({ usr }, ""), receipt);
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(receipt.firstName);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test("a row of cards is level: tops, prices and buttons, and an open one leaves its neighbours as they are", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openRunning(page, "/pricing");
  const cards = page.locator("#premium-treatments li:has(h3)");
  const bottoms = (selector: string) =>
    cards.evaluateAll(
      (all, inner) =>
        all.slice(0, 3).map((card) => {
          const part = card.querySelector(inner)?.getBoundingClientRect();
          return Math.round((part?.bottom ?? 0) - card.getBoundingClientRect().top);
        }),
      selector,
    );
  for (const part of ["h3", "strong", "summary"]) {
    const [first, ...others] = await bottoms(part);
    expect(others, part).toEqual([first, first]);
  }
  const before = await bottoms("summary");
  await cards.first().locator("summary").click();
  await expect(cards.first().getByText("Not included")).toBeVisible();
  expect(await bottoms("summary")).toEqual(before);
  // What it opens lies over the whole row, whichever card it belongs to.
  for (const [width, place] of [
    [1440, 1],
    [800, 2],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await cards.nth(place).locator("summary").click();
    await expect(page.locator("#premium-treatments details[open]")).toHaveCount(1);
    const list = await page.locator("#premium-treatments ul").first().boundingBox();
    const panel = await cards.nth(place).locator("details > :last-child").boundingBox();
    expect(Math.round(panel?.x ?? 0)).toBe(Math.round(list?.x ?? 0));
    expect(Math.round(panel?.width ?? 0)).toBe(Math.round(list?.width ?? 0));
  }
});

test("nothing beside a landing page's form moves when its messages come", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openRunning(page, "/dental-implants");
  const form = page.locator("#contact-form");
  const beside = () =>
    page
      .locator("h1, h3")
      .evaluateAll((all) =>
        all.slice(0, 3).map((title) => Math.round(title.getBoundingClientRect().top + window.scrollY)),
      );
  const before = await beside();
  await form.getByRole("button", { name: "Get Free Consultation" }).click();
  await expect(form.getByRole("region", { name: "Please check 4 fields" })).toBeVisible();
  expect(await beside()).toEqual(before);
});

test("the header's places are reached with the keyboard, and the focus goes along", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openRunning(page, "/");
  const place = page.getByRole("navigation").getByRole("link", { name: "Questions" }).first();
  await place.focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#questions")).toBeFocused();
});

test("the skip link leads past the header", async ({ page }) => {
  await openRunning(page, "/");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Get Free Consultation" }).first()).toBeFocused();
});

test("details and questions open with the keyboard, and the open page is accessible", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openRunning(page, "/pricing");
  for (const summary of [
    page.locator("#premium-treatments summary").nth(3),
    page.locator("#questions summary").nth(1),
  ]) {
    await summary.focus();
    await page.keyboard.press("Enter");
    await expect(summary.locator("xpath=..")).toHaveAttribute("open");
    await expect(summary).toBeFocused();
  }
  expect(await violationsOf(page)).toEqual([]);
});
