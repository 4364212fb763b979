import { expect, test } from "@playwright/test";
import { storedClick } from "./support/chat";
import { crmRecord } from "./support/product";

test("a tap opens the chat in a new tab, and the click reaches the CRM", async ({ page, context }) => {
  await context.route("https://wa.me/**", (route) => route.fulfill({ body: "chat" }));
  await page.goto("/thank-you");
  const link = page.getByRole("main").getByRole("link", { name: "WhatsApp" });
  const { text, status, record } = await storedClick(context, page, link);
  expect(text).toMatch(/^\[[A-Z0-9]{5}\] Hi - quick implants price & treatment info, please\.$/);
  expect(status).toBe(201);
  expect(record).toMatchObject({ buttonLocation: "thank-you-page", whatsappMessage: text, ipAddress: null });
  expect(await crmRecord({ Last_Name: `WhatsApp ${text.slice(0, 7)}` })).toMatchObject({
    Country: "United Kingdom",
    Language_Code: "en-GB",
  });
});

test("iOS Safari stays in the same tab", async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    baseURL: baseURL ?? "",
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
  });
  await context.route("https://wa.me/**", (route) => route.fulfill({ body: "chat" }));
  const page = await context.newPage();
  await page.goto("/thank-you");
  await page.getByRole("main").getByRole("link", { name: "WhatsApp" }).click();
  await expect(page).toHaveURL(/^https:\/\/wa\.me\//);
  await context.close();
});
