import { expect, test } from "@playwright/test";
import { FormBlock } from "./support/form";
import { crmRecord, freshEmail } from "./support/product";
import { openWay } from "./support/way";

test("an enquiry arrives although the tab is closed while it is on its way", async ({ context, baseURL }) => {
  const way = await openWay(baseURL ?? "");
  way.rule = ({ method }) => (method === "POST" ? "held" : undefined);
  const page = await context.newPage();
  const email = freshEmail();
  const form = new FormBlock(page);
  await form.open(`${way.url}/?gclid=closed-tab`);
  await form.fill(email);
  const begun = page.waitForRequest("**/api/leads");
  await form.submit.click();
  await begun;
  await page.close();
  const record = await crmRecord({ Email: email });
  expect(record.Google_Click_ID).toBe("closed-tab");
  way.close();
});
