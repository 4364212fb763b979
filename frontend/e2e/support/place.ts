/** Where a section stands in the window. */
import { expect, type Page } from "@playwright/test";
import { allHydrated } from "./page";

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

/** How often a section that must stay where it is is looked at, each time in another frame. */
const LOOKS = 12;

/** Waits until the page is alive and the section is at its place, and checks that it stays there. */
export async function expectAtRest(page: Page, section: string, message = section): Promise<void> {
  await allHydrated(page);
  await expectTop(page, section, PLACE, message);
  for (let look = 0; look < LOOKS; look++) {
    expect(Math.abs((await topOf(page, section)) - PLACE), `${message} stays`).toBeLessThanOrEqual(NEAR);
  }
}

/** Waits until the section's top is so many pixels below the window's. */
export async function expectTop(page: Page, section: string, top = PLACE, message = section): Promise<void> {
  const distance = async () => Math.abs((await topOf(page, section)) - top);
  await expect.poll(distance, { message }).toBeLessThanOrEqual(NEAR);
}
