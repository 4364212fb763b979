import { expect, type Page, test } from "@playwright/test";
import { violationsOf } from "./support/axe";
import { FormBlock } from "./support/form";
import { hold, openRunning } from "./support/page";
import { crmRecord, freshEmail } from "./support/product";

/** Two visits of an implant with its crown, three times, on the home page's list. */
const SUM = "£1,005";
const UPPER_16 = "Upper right, third from the back";
const UPPER_17 = "Upper right, second from the back";
const UPPER_24 = "Upper left, fourth from the middle";

const tooth = (page: Page, name: string, state: string) =>
  page.getByRole("button", { name: `${name}, ${state}`, exact: true });
const answer = (page: Page) => page.getByRole("region", { name: "Your price plan" });
const planBox = (page: Page) => page.getByRole("checkbox", { name: /^Send (this|my price) plan/ });

async function mark(page: Page): Promise<void> {
  await page
    .getByRole("group", { name: "What is it about?" })
    .getByRole("radio", { name: "Several teeth are missing" })
    .check();
  await page
    .getByRole("group", { name: "Do you have an X-ray?" })
    .getByRole("radio", { name: "Yes", exact: true })
    .check();
  await tooth(page, UPPER_16, "there").click();
  await tooth(page, UPPER_17, "there").click();
  await tooth(page, UPPER_24, "there").click();
  await tooth(page, UPPER_24, "missing").click();
  await expect(tooth(page, UPPER_24, "to be replaced")).toBeVisible();
}

/** Opens a price plan, and waits until its script answers. */
async function openAlive(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByText("Arrow keys move along the teeth")).toBeVisible();
}

test("a price plan is in the CRM's record of its enquiry, and nothing of it is asked again", async ({
  page,
}) => {
  const email = freshEmail();
  const form = new FormBlock(page);
  await openRunning(page, "/pricing");
  await page.getByRole("link", { name: "Work out your price for all your teeth" }).click();
  await expect(page).toHaveURL(/\/your-plan$/);
  await expect(answer(page)).toContainText("Answer the first question");
  await mark(page);
  await expect(answer(page)).toContainText(SUM);
  await expect(answer(page)).toContainText("Abutment between implant and crown, 3: not on the price list");
  await expect(answer(page)).toContainText("A dentist has to confirm it");
  expect(await violationsOf(page)).toEqual([]);
  await form.ready();
  await expect(planBox(page)).toBeChecked();
  await form.send(email);
  await expect(page.getByText("Your enquiry is about Dental implants, Zirconia crowns.")).toBeVisible();
  await expect(page.getByLabel("Photos")).toBeVisible();
  await expect(page.getByLabel("An X-ray")).toHaveCount(0);
  const record = await crmRecord({ Email: email });
  expect(record).toMatchObject({
    Plan_Teeth: "missing 16, 17; to be replaced 24",
    Plan_Treatment: "Dental implants, Zirconia crowns",
    Plan_Estimate: 1005,
    Plan_Currency: "GBP",
    Plan_X_Ray: "yes",
    Already_Has: "X-ray",
    Treatment_Interest: "Dental implants, Zirconia crowns",
  });
  expect(record.Price_Plan).toMatch(
    /^Several teeth are missing; listed GBP 1005 \(Dental implants 3 x 175, /,
  );
  await page.getByLabel("Photos").check();
  await crmRecord({ Email: email, Already_Has: "X-ray, photos" });
});

test("an enquiry goes without the plan when its box is unticked", async ({ page }) => {
  const email = freshEmail();
  const form = new FormBlock(page);
  await openAlive(page, "/your-plan");
  await mark(page);
  await form.ready();
  await form.fill(email);
  await planBox(page).uncheck();
  await form.submit.click();
  await expect(page).toHaveURL(/\/thank-you$/);
  const { Price_Plan: line, Treatment_Interest: about } = await crmRecord({ Email: email });
  expect([line, about]).toEqual([undefined, undefined]);
});

test("a landing page's plan is in euros, and a reload keeps it", async ({ page }) => {
  await openAlive(page, "/dental-implants/your-plan");
  await page.getByRole("radio", { name: "Nearly all are missing or loose" }).check();
  await page.getByRole("button", { name: "Whole upper jaw" }).click();
  await expect(answer(page)).toContainText("€2,999");
  await page.reload({ waitUntil: "networkidle" });
  await expect(answer(page)).toContainText("€2,999");
  await page.getByRole("button", { name: "Whole lower jaw" }).click();
  await expect(answer(page)).toContainText("€5,998");
  await expect(answer(page)).toContainText("Full mouth implants 1 × €4,799");
  await page.getByRole("radio", { name: "I was told that bone is lacking" }).check();
  await expect(answer(page)).toContainText("Only a scan can tell");
  await expect(answer(page)).not.toContainText("€");
});

test("the teeth are marked by keyboard alone, and each says where it is", async ({ page }) => {
  await openAlive(page, "/your-plan");
  await page.getByRole("radio", { name: "Several teeth are missing" }).focus();
  await page.keyboard.press("Space");
  await tooth(page, "Upper right, first from the middle", "there").focus();
  for (let steps = 0; steps < 5; steps += 1) {
    await page.keyboard.press("ArrowRight");
  }
  await page.keyboard.press("Space");
  await expect(tooth(page, UPPER_16, "missing")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(tooth(page, "Lower right, third from the back", "missing")).toBeFocused();
  await page.keyboard.press("End");
  await expect(tooth(page, "Lower right, wisdom tooth at the back", "there")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Whole lower jaw" })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(tooth(page, "Lower right, wisdom tooth at the back", "there")).toBeFocused();
  await expect(answer(page)).toContainText("£670");
});

test("without a script the same page answers, and its enquiry brings the plan", async ({
  browser,
  baseURL,
}) => {
  const email = freshEmail();
  const page = await browser.newPage({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  await page.goto("/your-plan");
  await page.getByRole("radio", { name: "Several teeth are missing" }).check();
  await page.getByRole("radio", { name: "Yes", exact: true }).check();
  await page.getByRole("button", { name: "Show my price" }).click();
  await expect(page).toHaveURL(/\/plan$/);
  await expect(answer(page)).toContainText("Mark the teeth");
  await tooth(page, UPPER_16, "there").click();
  await tooth(page, UPPER_17, "there").click();
  await tooth(page, UPPER_24, "there").click();
  await tooth(page, UPPER_24, "missing").click();
  await expect(tooth(page, UPPER_24, "to be replaced")).toBeVisible();
  await expect(answer(page)).toContainText(SUM);
  await expect(page.getByRole("radio", { name: "Several teeth are missing" })).toBeChecked();
  await page.locator("input[name=name]").fill("Ada");
  await page.locator("input[name=surname]").fill("Example");
  await page.locator("input[name=email]").fill("ada@");
  await page.locator("select[name=countryCode]").selectOption("+44");
  await page.locator("input[name=phone]").fill("07911 123456");
  await page.getByRole("button", { name: "Get Free Consultation" }).click();
  await expect(page.getByRole("heading", { name: "Please check the form" })).toBeVisible();
  await expect(planBox(page)).toBeChecked();
  await page.locator("input[name=email]").fill(email);
  await page.getByRole("button", { name: "Get Free Consultation" }).click();
  await expect(page).toHaveURL(/\/thank-you\?reference=\d{6}&details=.*&known=interest-xray$/);
  await expect(page.getByLabel("All-on-4")).toHaveCount(0);
  await expect(page.getByLabel("An X-ray")).toHaveCount(0);
  await expect(page.getByLabel("Photos")).toBeVisible();
  await page.close();
});

test("taps are answered by the server when the page's own code never arrives, before that is known and after", async ({
  page,
}) => {
  const fail = await hold(page, /PlanPage/, (route) => route.abort());
  await page.goto("/your-plan");
  await page.getByRole("radio", { name: "Several teeth are missing" }).check();
  await tooth(page, UPPER_16, "there").click();
  await expect(tooth(page, UPPER_16, "there")).toHaveAttribute("data-kept");
  fail();
  await expect(page).toHaveURL(/\/plan$/);
  await expect(tooth(page, UPPER_16, "missing")).toBeVisible();
  await page.goto("/your-plan");
  await expect(page.locator("[data-kept-as-painted]")).toHaveCount(1);
  await page.getByRole("radio", { name: "Several teeth are missing" }).check();
  await tooth(page, UPPER_16, "there").click();
  await expect(page).toHaveURL(/\/plan$/);
  await expect(tooth(page, UPPER_16, "missing")).toBeVisible();
  await expect(answer(page)).toContainText("£335");
});

for (const part of ["PlanPage", "PlanWork"]) {
  test(`what is chosen before ${part} arrives is kept`, async ({ page }) => {
    const arrive = await hold(page, new RegExp(part));
    await page.goto("/your-plan");
    await page.getByRole("radio", { name: "Several teeth are missing" }).check();
    // The router runs; that part has no code yet.
    await expect.poll(() => page.evaluate(() => window.history.state)).not.toBeNull();
    await page.getByRole("link", { name: "Skip to content" }).focus();
    await page.keyboard.press("Enter");
    // The browser goes there, or the app.
    await expect(page.locator("#content:target, #content:focus")).toHaveCount(1);
    await tooth(page, UPPER_16, "there").click();
    arrive();
    await expect(tooth(page, UPPER_16, "missing")).toBeVisible();
    await expect(page.getByRole("radio", { name: "Several teeth are missing" })).toBeChecked();
    await expect(answer(page)).toContainText("£335");
  });
}

for (const width of [320, 390, 640]) {
  test(`nothing is wider than the screen at ${width} px, and a tooth is large enough to tap`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await openAlive(page, "/your-plan");
    await mark(page);
    const { scroll, client } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
    }));
    expect(scroll).toBeLessThanOrEqual(client);
    const box = await tooth(page, UPPER_16, "missing").boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Clear" }).click();
    for (const each of await page.locator(".plan-arch .plan-tooth").all()) {
      await each.click();
    }
    await expect(page.locator('.plan-arch .plan-tooth[data-mark="missing"]')).toHaveCount(32);
  });
}
