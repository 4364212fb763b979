import { expect, test } from "@playwright/test";
import { violationsOf } from "./support/axe";

test("a data complaint is found from the footer, and gives a reference", async ({ page }) => {
  await page.goto("/privacy");
  await expect(page.getByRole("heading", { level: 1, name: "Privacy notice" })).toBeVisible();
  await expect(page.getByText(/24 months after they came/)).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Data complaint" }).click();
  await expect(page).toHaveURL(/\/data-complaint$/);
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: "Send complaint" }).click();
  await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
  await expect(page.getByRole("textbox", { name: "What happened?" })).toHaveAccessibleDescription(
    /Please tell us what happened/,
  );
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("textbox", { name: "Name" }).fill("Ada Example");
  await page.getByRole("textbox", { name: "Email" }).fill("ada@example.com");
  await page.getByRole("textbox", { name: "What happened?" }).fill("I asked for my data three weeks ago.");
  await page.getByRole("button", { name: "Send complaint" }).click();
  await expect(page.getByRole("heading", { name: "We have your complaint" })).toBeFocused();
  await expect(page.locator("[data-reference]")).toHaveText(/^C-\d{7}$/);
  expect(await violationsOf(page)).toEqual([]);
});
