import { expect, test } from "@playwright/test";
import { type OwnSite, startOwnSite } from "./support/ownSite";
import { openRunning } from "./support/page";

let site: OwnSite;

test.beforeAll(async () => {
  site = await startOwnSite({ CLINIC_PHONE: "+90 212 555 00 11", WHATSAPP_NUMBER: "+90 532 555 00 22" });
});

test.afterAll(() => site.close());

test("every link leads to the clinic's own numbers, and hydrates", async ({ page }) => {
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  for (const path of ["/", "/dental-implants", "/thank-you", "/privacy", "/no-such-page"]) {
    await openRunning(page, site.url + path);
    const links = await page
      .locator("a[href^='tel:'], a[href*='wa.me']")
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href.replace(/\?.*/, "")));
    expect(new Set(links), path).toEqual(new Set(["tel:+902125550011", "https://wa.me/905325550022"]));
    expect(await page.content()).not.toMatch(/212 000 00 00|902120000000|\{\{/);
  }
  expect(complaints.filter((text) => !/404/.test(text))).toEqual([]);
});
