import { expect, type Page, test } from "@playwright/test";
import { frames, hydrated, openRunning } from "./support/page";

/** Scrolls there and waits until the section is hydrated and its pictures have loaded. */
async function reach(page: Page, path: string, id: string) {
  await openRunning(page, path);
  const section = page.locator(`#${id}`);
  await section.scrollIntoViewIfNeeded();
  await page.waitForLoadState("networkidle");
  await hydrated(section);
  return section;
}

/** One finger along a line, in steps, as a person's: without the rest at its end it would be a flick. */
async function swipe(page: Page, { from, to, y }: { from: number; to: number; y: number }) {
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [{ x: from, y }]);
  for (let step = 1; step <= 10; step += 1) {
    await touch("touchMove", [{ x: from + ((to - from) * step) / 10, y }]);
    await page.waitForTimeout(20);
  }
  await touch("touchEnd", []);
  await session.detach();
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test("one case at a time, which the Tab key brings too", async ({ page }) => {
    const section = await reach(page, "/results", "before-after-gallery");
    const slider = (name: string) => section.getByRole("slider", { name });
    await expect(slider("Single implant")).toBeInViewport();
    await expect(slider("Veneers on stained teeth")).not.toBeInViewport();
    await section.getByRole("button", { name: "Show: Veneers on stained teeth" }).click();
    await expect(slider("Veneers on stained teeth")).toBeInViewport();
    await slider("Veneers on stained teeth").focus();
    await page.keyboard.press("Tab");
    await expect(slider("Veneers that close gaps")).toBeFocused();
    await expect(slider("Veneers that close gaps")).toBeInViewport({ ratio: 0.8 });
    await expect(section.getByText("4 of 6: Veneers that close gaps")).toBeAttached();
    const row = section.getByRole("article").first().locator("xpath=../..");
    expect((await row.boundingBox())?.height).toBeLessThan(600);
  });

  test("a drag of the line compares, and a swipe beside it brings the next case", async ({ page }) => {
    const section = await reach(page, "/results", "before-after-gallery");
    const slider = section.getByRole("slider", { name: "Single implant" });
    const box = (await section.getByRole("article").first().boundingBox()) ?? { x: 0, y: 0, width: 0 };
    await expect(slider).toHaveAttribute("aria-valuetext", "25% of the result shown");
    const line = box.x + box.width * 0.75;
    await swipe(page, { from: line, to: line - 90, y: box.y + 60 });
    await expect(slider).toHaveAttribute("aria-valuetext", /^(4|5)\d% of the result shown$/);
    await expect(section.getByRole("button", { name: "Show: Single implant" })).toHaveAttribute("aria-current", "true");
    const compared = await slider.getAttribute("aria-valuetext");
    await swipe(page, { from: box.x + box.width - 20, to: box.x + 20, y: box.y + 60 });
    await expect(section.getByText("2 of 6: Crowns on worn teeth")).toBeAttached();
    await expect(slider).not.toBeInViewport();
    await expect(slider).toHaveAttribute("aria-valuetext", compared ?? "");
  });
});

test("a picture opens large, the keyboard goes through all, and focus comes back", {
  tag: "@engines",
}, async ({ page }) => {
  const section = await reach(page, "/clinic", "clinic-showcase");
  const opener = section.getByRole("button", { name: "Enlarge: Reception" });
  await opener.scrollIntoViewIfNeeded();
  await expect(opener.getByRole("img")).toBeVisible();
  await opener.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Close" })).toBeFocused();
  await expect(page.locator("html")).toHaveCSS("overflow-y", "hidden");
  await page.keyboard.press("ArrowLeft");
  await expect(dialog).toHaveAccessibleName("Laboratory 4 of 4");
  // What can scroll is a stop of its own for the Tab key in some browsers.
  expect(await dialog.evaluate((element) => getComputedStyle(element).overflowY)).toBe("clip");
  for (const [width, height] of [
    [1280, 800],
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    const image = dialog.getByRole("img");
    await expect(image).toHaveJSProperty("complete", true);
    // 3:2 within its frame and the window: nothing of its placeholder shows beside it.
    const { shown, frame, box } = await image.evaluate((img) => ({
      shown: img.getBoundingClientRect().toJSON(),
      frame: img.closest("picture")?.getBoundingClientRect().toJSON(),
      box: img.closest("dialog")?.getBoundingClientRect().toJSON(),
    }));
    expect(frame, `${width} px`).toEqual(shown);
    expect(shown.width / shown.height, `${width} px`).toBeCloseTo(1.5, 2);
    expect(box.width - shown.width, `${width} px`).toBeLessThanOrEqual(25);
    expect(box.bottom, `${width} px`).toBeLessThanOrEqual(height);
  }
  for (const name of ["Previous picture", "Next picture", "Close", "Previous picture"]) {
    await page.keyboard.press("Tab");
    await expect(dialog.getByRole("button", { name })).toBeFocused();
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
});

test("the implants' strip moves, rests under the pointer, for the focus and on its button", async ({ page }) => {
  const section = await reach(page, "/dental-implants/implants", "premium-implants");
  const list = section.getByRole("list", { name: "Implant brands" });
  const left = () => list.evaluate((element) => element.getBoundingClientRect().left);
  const moves = async () => {
    const before = await left();
    await frames(page, 10);
    return (await left()) !== before;
  };
  await page.mouse.move(5, 5);
  await expect.poll(moves).toBe(true);
  const pause = section.getByRole("button", { name: "Pause the moving strip" });
  const start = section.getByRole("button", { name: "Start the moving strip" });
  await pause.click();
  // A press before the section is hydrated is answered once it is.
  await expect(start).toBeVisible();
  await expect.poll(moves).toBe(false);
  await start.click();
  await expect(pause).toBeVisible();
  await expect.poll(moves).toBe(true);
  await list.getByRole("button").first().focus();
  await expect.poll(moves).toBe(false);
  await pause.focus();
  await expect.poll(moves).toBe(true);
  const { x, y, height } = (await section.getByRole("list").boundingBox()) ?? { x: 0, y: 0, height: 0 };
  await page.mouse.move(Math.max(x, 0) + 200, y + height / 2);
  await expect.poll(moves).toBe(false);
});

test("the film loads when it is pressed, plays without sound, and says how long it is", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const section = await reach(page, "/", "how-an-implant-works");
  expect(asked.filter((url) => url.endsWith(".webm"))).toEqual([]);
  await section.getByRole("button", { name: /^Play video/ }).click();
  const film = section.locator("video");
  await expect(film).toBeFocused();
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0.2);
  expect(await film.evaluate(({ muted, duration }: HTMLVideoElement) => [muted, Math.round(duration)])).toEqual([
    true,
    8,
  ]);
});
