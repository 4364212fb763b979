import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { violationsOf } from "./support/axe";
import { FormBlock } from "./support/form";
import { openRunning } from "./support/page";

const PAGES = [
  ["home", "/"],
  ["landing", "/dental-implants"],
  ["the other landing", "/best-dental-implants-turkey"],
  ["a treatment", "/treatments/all-on-4"],
  ["thank-you", "/thank-you"],
  ["privacy", "/privacy"],
  ["terms", "/terms"],
  ["before you decide", "/before-you-decide"],
  ["not found", "/no-such-page"],
] as const;

/** Every path that is pre-rendered: most show one of the pages above from another place on. */
const ROUTES: Record<string, string> = JSON.parse(
  readFileSync(new URL("../dist/routes.json", import.meta.url), "utf8"),
);

/** What a path shows: its document but for the head. */
function bodyOf(path: string): string {
  const file = new URL(`../dist/${ROUTES[path]}`, import.meta.url);
  return readFileSync(file, "utf8").replace(/<head>.*<\/head>/s, "");
}

const DOCUMENTS: readonly string[] = PAGES.map(([, path]) => path);
const ROOTS = DOCUMENTS.slice(0, 3);
/** Stands for all of its kind, which show the same. */
const SECTION = "/journey";
/** Below landing pages the treatments' pages are the same but for their prices. */
const TREATMENTS = Object.keys(ROUTES).filter((path) => path.lastIndexOf("/treatments/") === 0);

test("a section's address shows the page that it is part of, and nothing of its own", () => {
  const sections = Object.keys(ROUTES).filter(
    (path) => !DOCUMENTS.includes(path) && !path.includes("/treatments/"),
  );
  expect(sections.length).toBeGreaterThan(20);
  for (const path of sections) {
    const root = ROOTS.findLast((one) => path.startsWith(one)) ?? "/";
    expect(bodyOf(path) === bodyOf(root), path).toBe(true);
  }
});

for (const path of new Set([...DOCUMENTS, ...TREATMENTS, SECTION])) {
  const widths = DOCUMENTS.includes(path) ? [360, 768, 1440] : [360];
  test(`${path} has no accessibility violation at ${widths.join(", ")} px`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 900 });
    await openRunning(page, path);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      expect(await violationsOf(page), `${width} px`).toEqual([]);
    }
  });
}

/** The words of these elements that the browser breaks somewhere else than at a hyphen. */
function wordsOnTwoLines(elements: Element[]): string[] {
  return elements.flatMap((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      for (const { 0: word, index } of node.nodeValue?.matchAll(/[^\s-]+/g) ?? []) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => top));
        if (tops.size > 1) {
          broken.push(word);
        }
      }
    }
    return broken;
  });
}

for (const [name, path] of PAGES) {
  test(`${name} never scrolls sideways: at 320 px, and with text twice as large`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await openRunning(page, path);
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    const broken = () => page.locator("h1, h2, h3, figcaption").evaluateAll(wordsOnTwoLines);
    expect(await width()).toBeLessThanOrEqual(320);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    expect(await width()).toBeLessThanOrEqual(390);
    expect(await broken()).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await width()).toBeLessThanOrEqual(1280);
    expect(await broken()).toEqual([]);
  });

  test(`${name} raises no error in the console, and hydrates what was pre-rendered`, async ({ page }) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      // The browser itself reports the not-found page's own status.
      if (message.type() === "error" && !message.text().includes("status of 404")) {
        complaints.push(message.text());
      }
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await openRunning(page, path);
    expect(complaints).toEqual([]);
  });
}

test("privacy and terms open in a dialog that gives focus back", { tag: "@engines" }, async ({ page }) => {
  await openRunning(page, "/");
  for (const [link, text] of [
    ["Privacy", /collected for consultation only.*GDPR and KVKK/],
    ["Terms", /estimates.*subject to in-person evaluation/],
  ] as const) {
    const opener = page.getByRole("contentinfo").getByRole("link", { name: link, exact: true });
    await opener.click();
    await expect(page.getByRole("alertdialog")).toHaveAccessibleDescription(text);
    expect((await page.getByRole("alertdialog").boundingBox())?.height).toBeLessThan(400);
    await expect(page.getByRole("alertdialog").getByRole("link")).toHaveAttribute(
      "href",
      `/${link.toLowerCase()}`,
    );
    await page.keyboard.press("Escape");
    await expect(page.getByRole("alertdialog")).toHaveCount(0);
    await expect(opener).toBeFocused();
  }
});

test("the bottom bar waits for the hero and gives way to the form", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await openRunning(page, "/");
  const bar = page.getByRole("complementary", { name: "Get in touch" });
  await expect(bar).toBeHidden();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(bar).toBeVisible();
  await page.locator("#contact-form").scrollIntoViewIfNeeded();
  await expect(bar).toBeHidden();
});

test("on paper a treatment is its price, what is in it, its steps and contact, on two sheets", async ({
  page,
}) => {
  for (const path of TREATMENTS) {
    await openRunning(page, path);
    await page.emulateMedia({ media: "print" });
    const printed = [
      "h1",
      "#content strong",
      "#in-the-price li",
      "#what-happens li",
      "footer a[data-call-source]",
    ];
    const left = ["#contact-form", "#other-treatments", "#questions", "#hero-actions", "picture", "button"];
    for (const selector of printed) {
      await expect(page.locator(selector).first(), selector).toBeVisible();
    }
    for (const selector of left) {
      await expect(page.locator(selector).first(), selector).toBeHidden();
    }
    const sheets = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page\b/g);
    expect(sheets?.length, path).toBeLessThanOrEqual(2);
    await page.emulateMedia({ media: "screen" });
  }
});

test("on paper are prices, journey and contact", async ({ page }) => {
  await openRunning(page, "/");
  await page.emulateMedia({ media: "print" });
  const printed = ["#premium-treatments strong", "#patient-journey h3", "footer a[data-call-source]"];
  const left = ["h1", "#contact-form", "#clinic-showcase", "footer button", "picture", "aside"];
  for (const selector of printed) {
    await expect(page.locator(selector).first(), selector).toBeVisible();
  }
  for (const selector of left) {
    await expect(page.locator(selector).first(), selector).toBeHidden();
  }
  await page.goto("/privacy");
  await expect(page.locator("h1")).toBeVisible();
});

test("a page and its form need at most seven scripts, so that few can be missing", async ({ page }) => {
  const scripts = new Set<string>();
  page.on("request", (request) => request.resourceType() === "script" && scripts.add(request.url()));
  for (const path of ["/", "/dental-implants", "/treatments/all-on-4"]) {
    scripts.clear();
    await openRunning(page, path);
    await new FormBlock(page).ready();
    await new FormBlock(page).chooseCountry("türkiye");
    await page.waitForLoadState("networkidle");
    // Sample brands have tooltips, and production has none.
    const needed = [...scripts].filter((file) => !file.includes("/assets/tip-"));
    expect(needed.length, path).toBeGreaterThan(1);
    expect(needed.length, path).toBeLessThanOrEqual(7);
  }
});

test("before its first paint a page asks for nothing of the app", async ({ page }) => {
  await openRunning(page, "/");
  const paint = () =>
    page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
  await expect.poll(paint).toBeGreaterThan(0);
  const modules = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ name }) => /\/assets\/.*\.js$/.test(name))
      .map(({ startTime }) => startTime),
  );
  expect(modules.length).toBeGreaterThan(0);
  const painted = await paint();
  expect(modules.filter((start) => start < painted)).toEqual([]);
});

test("until it is idle a phone fetches the first screen, and the smallest pictures of the next two at most", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openRunning(page, "/dental-implants");
  const early = await page.evaluate(() => {
    const files = performance.getEntriesByType("resource");
    const app = files.find(({ name }) => name.includes("/assets/app-"));
    const before = files.filter(({ startTime }) => startTime < (app?.startTime ?? 0));
    return before.map(({ name }) => name.split("/").at(-1) ?? "");
  });
  // Browsers fetch lazy pictures a screen or two ahead.
  const next = /-288\.avif$|^testimonial-1-[\w-]{8}-640\.avif$/;
  const needed = early.filter((file) => !next.test(file)).map((file) => file.split("-")[0]);
  expect(needed.sort()).toEqual(["arrival", "hero", "lora", "source"]);
});

for (const viewport of [
  { width: 412, height: 823 },
  { width: 1440, height: 900 },
]) {
  test(`the hero's picture is fetched once, and the fonts after it (${viewport.width} px)`, async ({
    page,
  }) => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.setViewportSize(viewport);
    await openRunning(page, "/");
    const heroes = asked.filter((path) => /\/hero-/.test(path));
    expect(heroes).toHaveLength(1);
    expect(heroes[0]).toMatch(/\.avif$/);
    const font = asked.findIndex((path) => path.endsWith(".woff2"));
    expect(font).toBeGreaterThan(asked.findIndex((path) => /\/hero-/.test(path)));
  });
}
