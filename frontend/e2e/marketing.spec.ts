import { expect, test } from "@playwright/test";
import { FormBlock } from "./support/form";
import { crmRecord, freshEmail } from "./support/product";

test("only a ticked box reaches the CRM as a yes to marketing", async ({ page }) => {
  const form = new FormBlock(page);
  for (const ticked of [false, true]) {
    const email = freshEmail();
    await form.open("/");
    await form.fill(email);
    const box = form.root.getByRole("checkbox", { name: /news and offers/ });
    await expect(box).not.toBeChecked();
    await box.setChecked(ticked);
    await form.submit.click();
    await expect(page).toHaveURL(/\/thank-you\?reference=\d{6}/);
    const record = await crmRecord({ Email: email });
    expect(record.Marketing_Opt_In === true).toBe(ticked);
  }
});
