import { expect, test } from "@playwright/test";
import { FormBlock } from "./support/form";
import { crmRecord, freshEmail } from "./support/product";

test("a tap opens the chat in a new tab, and the click reaches the CRM", async ({ page, context }) => {
  await context.route("https://wa.me/**", (route) => route.fulfill({ body: "chat" }));
  await page.goto("/thank-you");
  const stored = page.waitForResponse("**/api/whatsapp-click");
  const opened = context.waitForEvent("page");
  await page.getByRole("main").getByRole("link", { name: "WhatsApp", exact: true }).click();
  const chat = await opened;
  const text = new URL(chat.url()).searchParams.get("text") ?? "";
  expect(text).toMatch(/^\[[A-Z0-9]{5}\] Hi - quick implants price & treatment info, please\.$/);
  const response = await stored;
  expect(response.status()).toBe(201);
  expect(response.request().postDataJSON()).toMatchObject({
    buttonLocation: "thank-you-page",
    whatsappMessage: text,
    ipAddress: null,
  });
  await crmRecord({ Last_Name: `WhatsApp ${text.slice(0, 7)}` });
});

test("photos are sent with the reference of the enquiry", async ({ page, context }) => {
  await context.route("https://wa.me/**", (route) => route.fulfill({ body: "chat" }));
  const form = new FormBlock(page);
  await form.open("/");
  await form.fill(freshEmail());
  await form.submit.click();
  await expect(page).toHaveURL(/\/thank-you$/);
  const reference = await page.locator("[data-reference]").textContent();
  const opened = context.waitForEvent("page");
  await page.getByRole("link", { name: "Send your photos on WhatsApp" }).click();
  const text = new URL((await opened).url()).searchParams.get("text") ?? "";
  expect(text).toMatch(/^\[[A-Z0-9]{5}\] My reference is \d{6}\. Here are my photos\.$/);
  expect(text).toContain(reference);
});

test("a chat in another language begins in it, and the CRM is told which", async ({ page, context }) => {
  await context.route("https://wa.me/**", (route) => route.fulfill({ body: "chat" }));
  await page.goto("/", { waitUntil: "networkidle" });
  const line = page.getByRole("contentinfo").getByRole("list", { name: "WhatsApp in your language" });
  await expect(line.getByRole("link")).toHaveCount(7);
  const stored = page.waitForResponse("**/api/whatsapp-click");
  const opened = context.waitForEvent("page");
  await line.getByRole("link", { name: "العربية" }).click();
  const text = new URL((await opened).url()).searchParams.get("text") ?? "";
  expect(text).toMatch(/^\u200f\[[A-Z0-9]{5}\] مرحبًا/);
  expect((await stored).request().postDataJSON()).toMatchObject({
    buttonLocation: "footer-landing",
    language: "ar",
  });
  const code = /\[[A-Z0-9]{5}\]/.exec(text)?.[0];
  const record = await crmRecord({ Last_Name: `WhatsApp ${code}` });
  expect(record.Language_Code).toBe("ar");
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
  await page.getByRole("main").getByRole("link", { name: "WhatsApp", exact: true }).click();
  await expect(page).toHaveURL(/^https:\/\/wa\.me\//);
  await context.close();
});
