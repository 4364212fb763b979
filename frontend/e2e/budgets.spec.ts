/** What a phone's visit fetches, as the browser counts it. 1 kB is 1000 bytes of a body, compressed as it was sent. */
import { expect, type Page, test } from "@playwright/test";
import { FormBlock } from "./support/form";
import { openRunning } from "./support/page";

/** At most. "paint": the document with its style sheet, the first script, the fonts and the first screen's picture. */
const BUDGETS_KB = { paint: 75, app: 86, visit: 180 };
/** So few that little can be missing. Sample brands have one more, for their tooltips; production has none. */
const MOST_SCRIPTS = 7;

/** In the order of their requests, the document first. */
async function fetched(page: Page) {
  const all = await page.evaluate(() =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map(
      (entry) => entry.toJSON() as PerformanceResourceTiming,
    ),
  );
  return all.map(({ name, encodedBodySize, startTime }) => ({
    file: new URL(name).pathname.slice(1),
    kB: encodedBodySize / 1000,
    start: startTime,
  }));
}

type Fetched = Awaited<ReturnType<typeof fetched>>[number];
const sum = (files: readonly Fetched[]) => files.reduce((total, { kB }) => total + kB, 0);
const isScript = ({ file }: Fetched) => file.endsWith(".js") && !file.includes("/tip-");
/** What browsers fetch a screen or two ahead. */
const lazy = (page: Page) =>
  page
    .locator("img[loading=lazy]")
    .evaluateAll((all) =>
      all.map((img) => new URL((img as HTMLImageElement).currentSrc || "/", location.href).pathname),
    );
/** When a frame is shown is known a little later than what it let begin. */
const FRAME_MS = 34;

// Lighthouse's phone.
test.use({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 });

// With samples; production's documents are up to 3 kB smaller.
for (const [path, picture, documentKb] of [
  ["/", "hero", 27],
  ["/dental-implants", "hero", 27],
  ["/treatments/all-on-4", "all", 19],
  ["/thank-you", null, 10],
  ["/before-you-decide", null, 16],
] as const) {
  test(`${path} keeps to the budgets, and asks for nothing of the app before its first paint`, async ({ page }) => {
    await openRunning(page, path);
    const app = (await page.locator("script[data-app]").getAttribute("data-app")) ?? "";
    const painted = await page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    );
    const files = await fetched(page);
    const starting = files.filter(({ file }) => app.split(" ").includes(file));
    const begun = Math.min(...starting.map(({ start }) => start));
    expect(starting.length).toBeGreaterThan(1);
    expect(painted).toBeGreaterThan(0);
    expect(begun).toBeGreaterThan(painted - FRAME_MS);
    const [document, ...rest] = files;
    const ahead = new Set(await lazy(page));
    // Chromium 156 names the tab's icon too.
    const early = rest.filter(({ file, start }) => start < begun && !ahead.has(`/${file}`) && !/favicon/.test(file));
    const names = early.map(({ file }) => /([^/]+?)-[^/]*$/.exec(file)?.[1]?.split("-")[0]);
    expect(names.sort()).toEqual(["arrival", picture, "lora", "source"].filter(Boolean).sort());
    expect(document?.kB).toBeLessThanOrEqual(documentKb);
    const sizes = {
      paint: sum([...early, ...files.slice(0, 1)]),
      app: sum([...starting, ...files.filter(({ file }) => file.startsWith("arrival-"))]),
      visit: 0,
    };
    const form = new FormBlock(page);
    if ((await form.root.count()) > 0) {
      await form.ready();
      await form.chooseCountry("türkiye");
      await page.waitForLoadState("networkidle");
      const scripts = (await fetched(page)).filter(isScript);
      expect(scripts.length).toBeLessThanOrEqual(MOST_SCRIPTS);
      sizes.visit = sum(scripts);
    }
    for (const [what, size] of Object.entries(sizes)) {
      expect(size, what).toBeLessThanOrEqual(BUDGETS_KB[what as keyof typeof BUDGETS_KB]);
    }
  });
}
