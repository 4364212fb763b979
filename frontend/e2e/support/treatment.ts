import type { Locator, Page } from "@playwright/test";

/** The details of a treatment's card, and what opens them. */
export function detailsOf(page: Page, treatment: string): { details: Locator; summary: Locator } {
  const title = page.getByRole("heading", { name: treatment, exact: true });
  const details = page.getByRole("listitem").filter({ has: title }).locator("details");
  return { details, summary: details.locator("summary") };
}
