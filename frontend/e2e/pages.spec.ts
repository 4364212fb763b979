import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { violationsOf } from "./support/axe";
import { openRunning } from "./support/page";

/** Every path that is pre-rendered: most show one of the documents from another place on. */
const ROUTES: Record<string, string> = JSON.parse(
  readFileSync(new URL("../dist/routes.json", import.meta.url), "utf8"),
);

/** One document of each kind. */
const DOCUMENTS = [
  "/",
  "/dental-implants",
  "/thank-you",
  "/privacy",
  "/before-you-decide",
  "/treatments/all-on-4",
  "/no-such-page",
];
/** Below landing pages they are the same but for their prices. */
const TREATMENTS = Object.keys(ROUTES).filter((path) => path.lastIndexOf("/treatments/") === 0);
/** Of these kinds, with other words. */
const OTHERS = ["/best-dental-implants-turkey", "/terms", ...TREATMENTS, "/journey"];

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

/** A section's address stands for all of its kind, which show the same. */
for (const path of new Set([...DOCUMENTS, ...OTHERS])) {
  test(`${path} hydrates without a complaint, is accessible, and never scrolls sideways`, async ({ page }) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      // The browser itself reports the not-found page's own status.
      if (message.type() === "error" && !message.text().includes("status of 404")) {
        complaints.push(message.text());
      }
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.setViewportSize({ width: 360, height: 900 });
    await openRunning(page, path);
    expect(complaints).toEqual([]);
    for (const width of DOCUMENTS.includes(path) ? [360, 768, 1440] : [360]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await violationsOf(page), `${width} px`).toEqual([]);
    }
    const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    const broken = () => page.locator("h1, h2, h3, figcaption").evaluateAll(wordsOnTwoLines);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await beyond()).toBeLessThanOrEqual(0);
    // With text twice as large, and all of the page laid out.
    await page.evaluate(() => {
      delete document.documentElement.dataset.fresh;
      document.documentElement.style.fontSize = "200%";
    });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await beyond(), `${width} px`).toBeLessThanOrEqual(0);
      expect(await broken(), `${width} px`).toEqual([]);
    }
    if (TREATMENTS.includes(path)) {
      await page.evaluate(() => document.documentElement.removeAttribute("style"));
      const paper = (await page.pdf({ format: "A4" })).toString("latin1");
      expect(paper.match(/\/Type\s*\/Page\b/g)?.length, "sheets of paper").toBeLessThanOrEqual(2);
    }
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
    await expect(page.getByRole("alertdialog").getByRole("link")).toHaveAttribute("href", `/${link.toLowerCase()}`);
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

const FOOTER = "footer a[data-call-source]";

for (const [path, printed, left] of [
  [
    "/treatments/all-on-4",
    ["h1", "#content strong", "#in-the-price li", "#what-happens li", FOOTER],
    ["#contact-form", "#other-treatments", "#questions", "#hero-actions", "picture", "button"],
  ],
  [
    "/",
    ["#premium-treatments strong", "#patient-journey h3", FOOTER],
    ["h1", "#contact-form", "#clinic-showcase", "footer button", "picture", "aside"],
  ],
] as const) {
  test(`on paper ${path} is what one decides by and how to reach the clinic`, async ({ page }) => {
    await openRunning(page, path);
    await page.emulateMedia({ media: "print" });
    for (const selector of printed) {
      await expect(page.locator(selector).first(), selector).toBeVisible();
    }
    for (const selector of left) {
      await expect(page.locator(selector).first(), selector).toBeHidden();
    }
  });
}

test("every icon is there", async ({ page, request }) => {
  await page.goto("/");
  const icons = await page
    .locator('link[rel~="icon"], link[rel="apple-touch-icon"]')
    .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href));
  const manifest = await (await request.get("/site.webmanifest")).json();
  for (const icon of [...icons, ...manifest.icons.map(({ src }: { src: string }) => src)]) {
    expect((await request.get(icon)).status()).toBe(200);
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  for (const path of ["/", "/dental-implants"]) {
    test(`${path} reads whole, and phone and WhatsApp work`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      for (const id of ["clinic-showcase", "before-after-gallery", "why-choose-us", "patient-journey"]) {
        await expect(page.locator(`#${id}`).getByRole("heading", { level: 2 })).toBeVisible();
      }
      await expect(page.locator("#clinic-showcase noscript img").first()).toBeAttached();
      await expect(page.locator('header a[href^="tel:+"]')).toBeVisible();
      await expect(page.locator('header a[href^="https://wa.me/"][href*="?text="]')).toBeVisible();
      await page.locator('#hero-actions a[href="#contact-form"]').click();
      await expect(page.locator("#contact-form").getByRole("heading").first()).toBeInViewport();
    });
  }
});
