import { expect, type Locator, type Page, test } from "@playwright/test";
import { FormBlock } from "./support/form";
import { allHydrated, hold, hydrated, openRunning } from "./support/page";
import { expectTop } from "./support/place";
import { crmRecord, freshEmail } from "./support/product";

const holdScripts = (page: Page) => hold(page, "**/assets/*.js");

/** Presses what has come to rest: parts of a fresh page are laid out, and move, when they come into view. */
async function pressAtRest(button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded();
  await button.click();
}

/** What must not be lost, on the home page, and what must have come of a press. */
const PRESSES: readonly (readonly [
  name: string,
  press: (page: Page) => Promise<void>,
  then: (page: Page) => Promise<void>,
])[] = [
  [
    "a treatment's details",
    (page) => pressAtRest(page.locator("#premium-treatments summary").nth(3)),
    (page) => expect(page.locator("#premium-treatments details").nth(3)).toHaveAttribute("open"),
  ],
  [
    "a country of the native list",
    async (page) => {
      const countries = page.getByRole("combobox", { name: "Country code" });
      await countries.scrollIntoViewIfNeeded();
      await countries.selectOption("Türkiye +90");
    },
    (page) => expect(page.getByRole("button", { name: "Country code: Türkiye +90" })).toBeVisible(),
  ],
  [
    "a notice in the footer",
    (page) => pressAtRest(page.getByRole("contentinfo").getByRole("link", { name: "Terms", exact: true })),
    (page) => expect(page).toHaveURL(/\/terms$/),
  ],
  [
    "an empty form's button",
    (page) => pressAtRest(page.locator("#contact-form button[type=submit]")),
    (page) => expect(page.getByRole("region", { name: "Please check 4 fields" })).toBeVisible(),
  ],
];

/** Opens a page, holds its scripts back, and types who asks; `run` lets the scripts run. */
async function beginEarly(page: Page, path: string, email: string) {
  const form = new FormBlock(page);
  const run = await holdScripts(page);
  await page.goto(path, { waitUntil: "commit" });
  await form.field("Name").fill("Ada");
  await form.field("Surname").fill("Example");
  await form.field("Email").fill(email);
  return { form, run };
}

for (const path of ["/", "/dental-implants"]) {
  test(`what is typed on ${path} before its scripts run is kept, and sent`, async ({ page }) => {
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    const email = freshEmail();
    const { form, run } = await beginEarly(page, path, email);
    await form.field("Your Questions").pressSequentially("How long");
    run();
    await form.ready();
    await page.keyboard.type(" does it take?");
    await expect(form.field("Name")).toHaveValue("Ada");
    await expect(form.field("Your Questions")).toHaveValue("How long does it take?");
    await form.chooseCountry("united kingdom");
    await form.field("Phone").fill("07911 123456");
    await form.submit.click();
    await expect(page).toHaveURL(/\/thank-you\?reference=\d{6}/);
    expect(JSON.stringify(await crmRecord({ Email: email }))).toContain("How long does it take?");
    expect(complaints).toEqual([]);
  });

  test(`an enquiry that is sent on ${path} before the scripts run reaches the CRM`, async ({ page }) => {
    const email = freshEmail();
    const { form, run } = await beginEarly(page, path, email);
    await form.field("Phone").fill("07911 123456");
    await page.keyboard.press("Enter");
    run();
    await expect(page).toHaveURL(/\/thank-you\?reference=\d{6}/);
    await crmRecord({ Email: email });
  });
}

for (const [name, press, then] of PRESSES) {
  test(`a press of ${name} before the scripts run is answered once they do`, async ({ page }) => {
    const run = await holdScripts(page);
    await page.goto("/");
    await press(page);
    run();
    await then(page);
  });
}

test("a press of a place on the page, and Back from it, while the app waits for the page's code take nothing away", async ({
  page,
}) => {
  const form = new FormBlock(page);
  const run = await hold(page, "**/assets/page-*.js");
  await page.goto("/", { waitUntil: "commit" });
  await form.field("Name").fill("Ada");
  await hydrated(page.locator("#root > div"));
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  const name = await form.field("Name").elementHandle();
  await page.locator('#hero-actions a[href="#contact-form"]').click();
  await expectTop(page, "contact-form");
  await page.goBack();
  run();
  await allHydrated(page);
  expect(await name?.evaluate((field: HTMLInputElement) => field.isConnected && field.value)).toBe("Ada");
});

test("a page that is reloaded, or come back to, shows what was being read", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openRunning(page, "/");
  await page.locator("#why-choose-us").evaluate((section) => section.scrollIntoView({ behavior: "instant" }));
  const shown = () => expectTop(page, "why-choose-us");
  await shown();
  await page.reload({ waitUntil: "networkidle" });
  await shown();
  await openRunning(page, "/privacy");
  await page.goBack({ waitUntil: "networkidle" });
  await shown();
});

test("going back within the site shows what was being read", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await openRunning(page, "/thank-you");
  await page.getByRole("link", { name: "Return to Homepage" }).click();
  // The new page begins at its top: whoever scrolled before would be taken back.
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.locator("#why-choose-us").evaluate((section) => section.scrollIntoView({ behavior: "instant" }));
  const shown = () => expectTop(page, "why-choose-us");
  await shown();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
  await page.goForward();
  await shown();
});
