/** The operators' page of the outbox, in a phone's width and with the keyboard, as at night. */
import { type APIRequestContext, expect, type Page, test } from "@playwright/test";
import { crmRecord, flowerUrl, freshEmail } from "./support/product";

const [username = "", password = ""] = (process.env.FLOWER_BASIC_AUTH ?? "").split(":");

test.use({
  httpCredentials: { username, password },
  viewport: { width: 390, height: 844 },
  timezoneId: "Asia/Tokyo",
});

/** An enquiry that is held, since it filled the field that nobody sees. */
async function heldEnquiry(request: APIRequestContext) {
  const email = freshEmail();
  const person = { name: "Ada", surname: "Example", email, countryCode: "+44", phone: "07911 123456" };
  const answer = await request.post("/api/leads", { data: { ...person, website: "https://spam.example" } });
  expect(answer.status()).toBe(201);
  const { reference } = await answer.json();
  return { email, reference: String(reference) };
}

/** Checks that the page fits the window, once its style sheets are there. */
async function expectNoWider(page: Page): Promise<void> {
  await page.waitForLoadState();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
}

test("a ticked row stays ticked through a refresh, and is released with a reason, by the keyboard alone", async ({
  page,
  request,
}) => {
  const { email, reference } = await heldEnquiry(request);
  await page.goto(`${flowerUrl()}/outbox?to=zoho&state=held&order=newest`);
  await expect(page.getByText("Times: Istanbul.")).toBeVisible();
  await expectNoWider(page);
  const tick = page.getByRole("row").filter({ hasText: reference }).getByRole("checkbox");
  await tick.focus();
  await page.keyboard.press("Space");
  await heldEnquiry(request);
  const refreshed = page.waitForResponse((answer) => answer.url().includes("/outbox?"));
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await refreshed;
  await expect(tick).toBeChecked();
  await expect(tick).toBeFocused();
  await page.getByRole("button", { name: "Release …" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Release: 1 row" })).toBeVisible();
  await expectNoWider(page);
  await page.keyboard.type("the patient called");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: /newest first$/ })).toBeVisible();
  await crmRecord({ Email: email });
});

test("a held enquiry is found by its address, which no page shows, with its times on the clinic's clock", async ({
  page,
  request,
}) => {
  const { email, reference } = await heldEnquiry(request);
  await page.goto(`${flowerUrl()}/outbox`);
  await page.getByRole("textbox", { name: /find a row/ }).fill(email);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/outbox\/[0-9a-f-]{36}$/);
  await expect(page.getByText(reference, { exact: true })).toBeVisible();
  await expect(page.getByText("it is released, by itself or by somebody").first()).toBeVisible();
  expect(await page.content()).not.toContain(email);
  await expectNoWider(page);
  const stored = await page.getByRole("row", { name: /^created at/ }).innerText();
  const [clock = ""] = stored.match(/\d\d:\d\d:\d\d/) ?? [];
  const now = new Date(Date.now() + 3 * 3_600_000); // Istanbul has no summer time
  const seconds = (now.getTime() - Date.parse(`${now.toISOString().slice(0, 10)}T${clock}Z`)) / 1000;
  expect((seconds + 86_400) % 86_400).toBeLessThan(600);
});
