import type { BrowserContext, Locator, Page } from "@playwright/test";

/** Taps a WhatsApp link: the chat's text, and the record that our server has answered. */
export async function storedClick(context: BrowserContext, page: Page, link: Locator) {
  const stored = page.waitForResponse("**/api/whatsapp-click");
  const opened = context.waitForEvent("page");
  await link.click();
  const chat = await opened;
  const text = new URL(chat.url()).searchParams.get("text") ?? "";
  await chat.close();
  const response = await stored;
  return { text, status: response.status(), record: response.request().postDataJSON() };
}
