import { expect, type Locator, type Page } from "@playwright/test";

/** The form block as a visitor sees it. */
export class FormBlock {
  readonly root: Locator;

  constructor(readonly page: Page) {
    this.root = page.locator("#contact-form");
  }

  field(name: "Name" | "Surname" | "Email" | "Phone" | "Your Questions"): Locator {
    return this.root.getByRole("textbox", { name, exact: true });
  }

  get submit(): Locator {
    return this.root.getByRole("button", { name: "Get Free Consultation" });
  }

  /** The search box of the open list of countries. */
  get countrySearch(): Locator {
    return this.root.getByRole("combobox", { name: "Search country or code" });
  }

  async open(path: string): Promise<void> {
    await this.page.goto(path);
    await this.ready();
  }

  /** Brings the form into view and waits until its rules are there. */
  async ready(): Promise<void> {
    const flag = this.root.getByRole("button", { name: /Country code/ }).locator("img");
    await expect(async () => {
      // The place that an address names is held until the visitor's first input.
      await this.page.mouse.wheel(0, 1);
      await this.root.scrollIntoViewIfNeeded();
      await flag.waitFor({ timeout: 5_000 });
    }).toPass({ timeout: 30_000 });
  }

  async fill(email: string): Promise<void> {
    await this.field("Name").fill("Ada");
    await this.field("Surname").fill("Example");
    await this.field("Email").fill(email);
    await this.chooseCountry("united kingdom");
    await this.field("Phone").fill("07911 123456");
  }

  /** Fills in what is needed, sends it, and waits for the page that says thank you. */
  async send(email: string): Promise<void> {
    await this.fill(email);
    await this.submit.click();
    await expect(this.page).toHaveURL(/\/thank-you\?reference=\d{6}/);
  }

  async chooseCountry(typed: string): Promise<void> {
    await this.root.getByRole("button", { name: /Country code/ }).click();
    await this.countrySearch.fill(typed);
    await this.page.keyboard.press("Enter");
  }
}
