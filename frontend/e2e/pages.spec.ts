import { readFileSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";

const PAGES = [
  ["home", "/"],
  ["landing", "/dental-implants"],
  ["the other landing", "/best-dental-implants-turkey"],
  ["thank-you", "/thank-you"],
  ["privacy", "/privacy"],
  ["terms", "/terms"],
  ["data complaint", "/data-complaint"],
  ["not found", "/no-such-page"],
] as const;

/** Every path that is pre-rendered: most show one of the pages above from another place on. */
const ROUTES: Record<string, string> = JSON.parse(
  readFileSync(new URL("../dist/routes.json", import.meta.url), "utf8"),
);

const DOCUMENTS: readonly string[] = PAGES.map(([, path]) => path);

for (const path of new Set([...Object.keys(ROUTES), ...DOCUMENTS])) {
  const widths = DOCUMENTS.includes(path) ? [360, 768, 1440] : [360];
  test(`${path} has no accessibility violation at ${widths.join(", ")} px`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 900 });
    await page.goto(path, { waitUntil: "networkidle" });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(
        violations.map(({ id, nodes }) => `${width} px, ${id}: ${nodes.map(({ html }) => html).join(" ")}`),
      ).toEqual([]);
    }
  });
}

for (const [name, path] of PAGES) {
  test(`${name} never scrolls sideways at 320 px`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(path, { waitUntil: "networkidle" });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
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
    await page.goto(path, { waitUntil: "networkidle" });
    expect(complaints).toEqual([]);
  });
}

test("an unknown path answers 404 with its card", async ({ page }) => {
  const response = await page.goto("/no/such/page");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "404 Page Not Found" })).toBeVisible();
  await expect(page.getByText("This page has moved or never existed.")).toBeVisible();
  await expect(page.getByText("Did you forget to add the page to the router?")).toBeVisible();
});

test("opening the thank-you page directly shows a reference from the clock, and claims nothing", async ({
  page,
}) => {
  await page.goto("/thank-you");
  await expect(page.getByText("If you sent a request just now")).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy reference" })).toHaveCount(0);
  await expect(page.locator("[data-reference]")).toHaveText(/^\d{6}$/);
  await expect(page.getByRole("heading", { name: "Thank you", exact: true })).toBeVisible();
});

test("privacy and terms open in a dialog that gives focus back", async ({ page }) => {
  await page.goto("/", { waitUntil: "networkidle" });
  for (const [link, text] of [
    ["Privacy", /collected for consultation only.*GDPR and KVKK/],
    ["Terms", /estimates.*subject to in-person evaluation/],
  ] as const) {
    const opener = page.getByRole("button", { name: link, exact: true });
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
  await page.goto("/", { waitUntil: "networkidle" });
  const bar = page.getByRole("complementary", { name: "Get in touch" });
  await expect(bar).toBeHidden();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(bar).toBeVisible();
  await page.locator("#contact-form").scrollIntoViewIfNeeded();
  await expect(bar).toBeHidden();
});

test("the bottom bar knows the form on a page that was come to from another", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("/thank-you", { waitUntil: "networkidle" });
  await page.getByRole("link", { name: "Return to Homepage" }).click();
  await page.locator("#why-choose-us").scrollIntoViewIfNeeded();
  const bar = page.getByRole("complementary", { name: "Get in touch" });
  await expect(bar).toBeVisible();
  await page.locator("#contact-form").scrollIntoViewIfNeeded();
  await expect(bar).toBeHidden();
});

test("neither the form's rules nor any flag come with the first load", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.setViewportSize({ width: 360, height: 400 });
  await page.goto("/", { waitUntil: "networkidle" });
  expect(asked.filter((path) => path.endsWith(".js")).length).toBeGreaterThan(0);
  expect(asked.filter((path) => /chunk-.*\.js$|[A-Z]{2}-[\w-]+\.svg$/.test(path))).toEqual([]);
});

test("before its first paint a page asks for nothing of the app", async ({ page }) => {
  await page.goto("/", { waitUntil: "networkidle" });
  const paint = () =>
    page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
  await expect.poll(paint).toBeGreaterThan(0);
  const modules = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ name }) => /\/assets\/.*\.js$/.test(name))
      .map(({ startTime }) => startTime),
  );
  expect(modules.length).toBeGreaterThan(5);
  const painted = await paint();
  expect(modules.filter((start) => start < painted)).toEqual([]);
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
    await page.goto("/", { waitUntil: "networkidle" });
    const heroes = asked.filter((path) => /\/hero-/.test(path));
    expect(heroes).toHaveLength(1);
    expect(heroes[0]).toMatch(/\.avif$/);
    const font = asked.findIndex((path) => path.endsWith(".woff2"));
    expect(font).toBeGreaterThan(asked.findIndex((path) => /\/hero-/.test(path)));
  });
}
