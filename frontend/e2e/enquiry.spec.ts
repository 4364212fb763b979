import { expect, test } from "@playwright/test";
import { FormBlock } from "./support/form";
import { openRunning } from "./support/page";
import { crmRecord, freshEmail } from "./support/product";
import { openProxy } from "./support/proxy";

test("an enquiry reaches the CRM with the reference that the visitor is shown", { tag: "@engines" }, async ({
  page,
}) => {
  const email = freshEmail();
  const form = new FormBlock(page);
  await form.open("/?gclid=e2e-click&utm_campaign=spring");
  await form.fill(email);
  await form.field("Your Questions").fill("How long does it take?");
  const typed = form.root.locator(
    ":is(input, textarea):not([type=hidden], [type=checkbox], [type=tel], [name=website])",
  );
  const entered = await typed.evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value));
  await form.root.getByRole("checkbox", { name: /news and offers/ }).check();
  await form.submit.click();
  // The second, while the clinic is closed for longer than 24 hours.
  await expect(page.getByText(/^Thank you! We('ll contact you within 24 hours| have your enquiry)\.$/)).toBeVisible();
  await expect(page).toHaveURL(/\/thank-you\?reference=\d{6}/);
  await expect(page.getByRole("heading", { name: "Thank you, Ada" })).toBeVisible();
  // The home page's document has no rules for it.
  await expect(page.locator("[data-reference]")).toHaveCSS("font-weight", "600");
  const reference = (await page.locator("[data-reference]").textContent()) ?? "";
  expect(reference).toMatch(/^\d{6}$/);
  const record = await crmRecord({ Email: email });
  expect(JSON.stringify(record)).toContain(reference);
  expect(JSON.stringify(record)).toContain("e2e-click");
  expect(record.Marketing_Opt_In).toBe(true);
  // A field that is not filled above fails here too.
  expect(entered).not.toContain("");
  expect(entered.filter((text) => !JSON.stringify(record).includes(text))).toEqual([]);
  await page.reload();
  await expect(page.locator("[data-reference]")).toHaveText(reference);
});

test("a treatment's page is reached from its card, and its enquiry says where it came from", async ({ page }) => {
  const email = freshEmail();
  const form = new FormBlock(page);
  await openRunning(page, "/pricing");
  await page.getByRole("link", { name: "All-on-4", exact: true }).click();
  await expect(page).toHaveURL(/\/treatments\/all-on-4$/);
  await expect(page).toHaveTitle(/^All-on-4 in Istanbul/);
  await expect(page.locator("#other-treatments li").first()).toHaveCSS("display", "grid");
  await form.ready();
  await form.send(email);
  const record = await crmRecord({ Email: email });
  expect(record.Page_URL).toMatch(/\/treatments\/all-on-4$/);
  expect(record.Treatment_Interest).toBe("All-on-4");
  // Nobody ticked the box.
  expect(record.Marketing_Opt_In).not.toBe(true);
  await expect(page.getByText("Your enquiry is about All-on-4.")).toBeVisible();
});

test("what is tapped after sending is in the CRM's same record", async ({ page }) => {
  const email = freshEmail();
  const form = new FormBlock(page);
  await form.open("/");
  await form.send(email);
  const { id } = await crmRecord({ Email: email });
  await page.getByLabel("I don't know yet").check();
  await page.getByLabel("An X-ray").check();
  await page.getByLabel("Photos").check();
  const slot = page.getByRole("group", { name: "When should we call?" }).getByRole("radio").nth(1);
  await slot.check();
  await expect(page.getByText("Saved. You can change an answer at any time.")).toBeVisible();
  await expect(page.getByText(/^Our experts will call you as you asked: /)).toBeVisible();
  const record = await crmRecord({
    Email: email,
    Treatment_Interest: "does not know yet",
    Already_Has: "X-ray, photos",
  });
  expect(record.id).toBe(id);
  await expect.poll(async () => (await crmRecord({ Email: email })).Call_Time).toMatch(/chosen by the visitor$/);
  await page.reload();
  await expect(page.getByLabel("An X-ray")).toBeChecked();
  await expect(slot).toBeChecked();
});

/** As our server says that it cannot store anything just now. */
const BUSY = { status: 503, json: { code: 503, status: "Service Unavailable", message: "" } };

for (const height of [640, 844]) {
  test(`on a phone ${height} px high the error leaves room for what can be done next`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height });
    const form = new FormBlock(page);
    await page.route("**/api/leads", (route) => route.fulfill(BUSY));
    await form.open("/");
    await form.fill(freshEmail());
    await form.submit.click();
    const toast = page.getByRole("listitem").filter({ hasText: "Failed to submit form." });
    await expect(toast).toBeVisible();
    const ways = [
      form.root.getByRole("button", { name: "Try again" }),
      form.root.getByRole("link", { name: "Send by WhatsApp instead" }),
      form.submit,
    ];
    // Under the pointer it stays.
    await toast.hover();
    const top = (await toast.boundingBox())?.y ?? height;
    const hidden = async () => {
      const boxes = await Promise.all(ways.map((way) => way.boundingBox()));
      return boxes.filter((way) => way === null || way.y < 40 || way.y + way.height > top);
    };
    await expect.poll(hidden).toEqual([]);
    expect(top).toBeLessThan(height);
  });
}

test("an enquiry arrives although the tab is closed while it is on its way", async ({ context, baseURL }) => {
  const proxy = await openProxy(baseURL ?? "");
  proxy.rule = ({ method }) => (method === "POST" ? "held" : undefined);
  const page = await context.newPage();
  const email = freshEmail();
  const form = new FormBlock(page);
  await form.open(`${proxy.url}/`);
  await form.fill(email);
  const begun = page.waitForRequest("**/api/leads");
  await form.submit.click();
  await begun;
  await page.close();
  await crmRecord({ Email: email });
  proxy.close();
});

test("where storage is forbidden the visitor is shown the server's reference all the same", async ({ page }) => {
  await page.addInitScript(() => {
    for (const kind of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, kind, {
        get: () => {
          throw new DOMException("forbidden", "SecurityError");
        },
      });
    }
  });
  const email = freshEmail();
  const form = new FormBlock(page);
  await form.open("/");
  await form.send(email);
  const record = await crmRecord({ Email: email });
  await expect(page.locator("[data-reference]")).toHaveText(String(record.Website_Reference));
});

test("the keyboard alone is enough", { tag: "@engines" }, async ({ page }) => {
  const email = freshEmail();
  const form = new FormBlock(page);
  await form.open("/");
  await page.locator("#hero-actions").getByRole("link", { name: "Get Free Consultation" }).focus();
  await page.keyboard.press("Enter");
  await expect(form.root).toBeFocused();
  for (const text of ["Ada", "Example", email]) {
    await page.keyboard.press("Tab");
    await page.keyboard.type(text);
  }
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await expect(form.countrySearch).toBeFocused();
  await page.keyboard.type("united k");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type("07911 123456");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/thank-you\?reference=\d{6}/);
  await crmRecord({ Email: email });
});
