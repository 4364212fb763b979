import { expect, test } from "@playwright/test";
import { storedClick } from "./support/chat";
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
