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
