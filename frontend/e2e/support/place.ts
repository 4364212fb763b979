/** Where a section stands in the window. */
import { expect, type Page } from "@playwright/test";

/** Below the sticky bar: where a path, a link or a press leads. */
export const PLACE = 80;
/** Browsers scroll by whole pixels while heights have fractions, and go to a fragment by a rule of their own. */
const NEAR = 2;

/** As painted: a script that looks between a change and its frame sees what no visitor does. */
export const topOf = (page: Page, section: string) =>
  page.locator(`#${section}`).evaluate(
    (found) =>
      new Promise<number>((resolve) => {
        const observer = new IntersectionObserver(([entry]) => {
          observer.disconnect();
          resolve(entry?.boundingClientRect.top ?? Number.NaN);
        });
        observer.observe(found);
      }),
  );

/** Waits until the section's top is so many pixels below the window's. */
export async function expectTop(page: Page, section: string, top = PLACE, message = section): Promise<void> {
  const distance = async () => Math.abs((await topOf(page, section)) - top);
  await expect.poll(distance, { message }).toBeLessThanOrEqual(NEAR);
}
