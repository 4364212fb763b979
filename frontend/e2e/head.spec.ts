import { expect, test } from "@playwright/test";

for (const [path, canonical] of [
  ["/", "/"],
  ["/pricing", "/"],
  ["/best-dental-implants-turkey/clinic", "/dental-implants"],
  ["/dental-implants/treatments/all-on-4", "/treatments/all-on-4"],
] as const) {
  test(`${path} tells search engines and shared links what it is`, async ({ page, request }) => {
    await page.goto(path);
    const link = await page.locator('link[rel="canonical"]').getAttribute("href");
    const address = new URL(link ?? "");
    expect(address.pathname).toBe(canonical);
    const content = (selector: string) => page.locator(selector).getAttribute("content");
    expect(await content('meta[property="og:url"]')).toBe(address.href);
    expect(await content('meta[property="og:title"]')).toBe(await page.title());
    const card = new URL((await content('meta[property="og:image"]')) ?? "");
    const own = canonical === "/" ? "/card.jpg" : `/cards/${canonical.slice(1).replace("/", "-")}.jpg`;
    expect(card.pathname).toBe(own);
    const picture = await request.get(card.pathname);
    expect(picture.headers()["content-type"]).toMatch(/^image\/(png|jpeg)$/);
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
      const phone = page.locator('header a[href^="tel:+"]');
      await expect(phone).toBeVisible();
      const chat = page.locator('header a[href^="https://wa.me/"]');
      await expect(chat).toBeVisible();
      await expect(chat).toHaveAttribute("href", /\?text=/);
    });
  }
});
