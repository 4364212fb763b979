import { expect, test } from "@playwright/test";
import { storedClick } from "./support/chat";
import { openRunning } from "./support/page";
import { crmRecord } from "./support/product";

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

test("a middle click opens the chat with its code, too, and the click is stored", async ({
  page,
  context,
}) => {
  await context.route("https://wa.me/**", (route) => route.fulfill({ body: "chat" }));
  await page.goto("/thank-you");
  const link = page.getByRole("main").getByRole("link", { name: "WhatsApp", exact: true });
  const stored = page.waitForResponse("**/api/whatsapp-click");
  await link.click({ button: "middle" });
  const response = await stored;
  const text = new URL((await link.getAttribute("href")) ?? "").searchParams.get("text") ?? "";
  expect(text).toMatch(/^\[[A-Z0-9]{5}\] Hi - quick/);
  expect(response.status()).toBe(201);
  expect(response.request().postDataJSON()).toMatchObject({
    uniqueCode: text.slice(1, 6),
    buttonLocation: "thank-you-page",
    whatsappMessage: text,
  });
});

test("a chat in another language begins in it, and the CRM is told which", async ({ page, context }) => {
  await context.route("https://wa.me/**", (route) => route.fulfill({ body: "chat" }));
  await openRunning(page, "/");
  const line = page.getByRole("contentinfo").getByRole("list", { name: "WhatsApp in your language" });
  await expect(line.getByRole("link")).toHaveCount(7);
  const link = line.getByRole("link", { name: "العربية" });
  const { text, record: sent } = await storedClick(context, page, link);
  expect(text).toMatch(/^\u200f\[[A-Z0-9]{5}\] مرحبًا/);
  expect(sent).toMatchObject({ buttonLocation: "footer-landing", language: "ar" });
  const code = /\[[A-Z0-9]{5}\]/.exec(text)?.[0];
  const record = await crmRecord({ Last_Name: `WhatsApp ${code}` });
  expect(record.Visitor_Language).toBe("Arabic");
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
