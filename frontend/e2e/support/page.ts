/** Pages whose app runs. */
import { expect, type Locator, type Page, type Route } from "@playwright/test";

/** Waits until React has hydrated the part: it marks a node once all inside is done, but what hydrates when it comes near. */
export async function hydrated(part: Locator): Promise<void> {
  await expect.poll(() => part.evaluate((node) => Object.keys(node).join())).toContain("__reactProps$");
}

/** Opens a page and waits until its app runs and has what it needs. A busy page is idle on the network before it asks for its app. */
export async function openRunning(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await hydrated(page.locator("main"));
  await page.waitForLoadState("networkidle");
}

/** Waits until every part of the page is hydrated and all that it asked for is there: then nothing on it changes by itself. */
export async function allHydrated(page: Page): Promise<void> {
  const waiting = () =>
    page
      .locator("main > div > :first-child")
      .evaluateAll((all) => all.filter((part) => !Object.keys(part).join().includes("__reactProps$")).length);
  await hydrated(page.locator("main"));
  await expect.poll(waiting).toBe(0);
  await page.waitForLoadState("networkidle");
}

/** Waits until the page has been painted so many times. */
export const frames = (page: Page, count: number) =>
  page.evaluate(async (left) => {
    for (let frame = 0; frame < left; frame++) {
      await new Promise(requestAnimationFrame);
    }
  }, count);

/** How much of the page has moved by itself since it was opened: the sum of its layout shifts. */
export const layoutShift = (page: Page) =>
  page.evaluate(() => {
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: "layout-shift", buffered: true });
    const shifts = observer.takeRecords() as (PerformanceEntry & { value: number })[];
    return shifts.reduce((total, { value }) => total + value, 0);
  });

/** Holds the page's requests for these files back until the returned function is called: then they go on, or fail. */
export async function hold(
  page: Page,
  files: string | RegExp,
  end: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(files, async (route) => {
    await released;
    await end(route);
  });
  return release;
}
