import { type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import { hold } from "./support/page";
import { crmRecord } from "./support/product";

/** Taps a WhatsApp link: the chat's text, and the record that our server has answered. */
async function storedClick(context: BrowserContext, page: Page, link: Locator) {
  const stored = page.waitForResponse("**/api/whatsapp-click");
  const opened = context.waitForEvent("page");
  await link.click();
  const chat = await opened;
  const text = new URL(chat.url()).searchParams.get("text") ?? "";
  await chat.close();
  const response = await stored;
  return { text, status: response.status(), record: response.request().postDataJSON() };
}

test("a tap opens the chat in a new tab, and the click reaches the CRM", { tag: "@engines" }, async ({
  page,
  context,
}) => {
  await context.route("https://wa.me/**", (route) => route.fulfill({ body: "chat" }));
  await page.goto("/thank-you");
  const link = page.getByRole("main").getByRole("link", { name: "WhatsApp", exact: true });
  const { text, status, record } = await storedClick(context, page, link);
  expect(text).toMatch(/^\[[A-Z0-9]{5}\] Hi - quick implants price & treatment info, please\.$/);
  expect(status).toBe(201);
  expect(record).toMatchObject({ buttonLocation: "thank-you-page", whatsappMessage: text, ipAddress: null });
  expect(await crmRecord({ Last_Name: `WhatsApp ${text.slice(0, 7)}` })).toMatchObject({
    Country: "United Kingdom",
    Visitor_Language: "English (United Kingdom)",
  });
});

for (const path of ["/", "/dental-implants", "/thank-you"]) {
  test(`taps on WhatsApp on ${path} before the app runs have their code and their record`, async ({
    page,
    context,
  }) => {
    await context.route("https://wa.me/**", (route) => route.fulfill({ body: "chat" }));
    await hold(page, "**/assets/*.js");
    await page.goto(`${path}?utm_source=early-${path.slice(1)}`);
    for (const place of ["header", "main"]) {
      const link = page.locator(`${place} a[data-chat-source]`).first();
      const { text, record } = await storedClick(context, page, link);
      expect(text).toMatch(
        /^\[[A-Z0-9]{5}\] (Hi - quick implants price & treatment info, please|Hello, here are my photos)\.$/,
      );
      expect(record).toMatchObject({ whatsappMessage: text, utmSource: `early-${path.slice(1)}` });
      await crmRecord({ Last_Name: `WhatsApp ${text.slice(0, 7)}` });
    }
  });
}
