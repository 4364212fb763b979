/** Pages whose app runs. */
import { expect, type Locator, type Page } from "@playwright/test";

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
