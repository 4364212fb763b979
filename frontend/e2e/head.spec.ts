import { expect, test } from "@playwright/test";

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
      await page.locator('#hero-actions a[href="#contact-form"]').click();
      await expect(page.locator("#contact-form").getByRole("heading").first()).toBeInViewport();
    });
  }
});
