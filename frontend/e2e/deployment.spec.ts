/** A deployment while pages are open: another build behind the same address, which keeps the files of the one before. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { FormBlock } from "./support/form";
import { AFTER, DIST, makeNextBuild } from "./support/nextBuild";
import { type OwnSite, startOwnSite } from "./support/ownSite";
import { crmRecord, freshEmail } from "./support/product";
import { openWay } from "./support/way";

let next: ReturnType<typeof makeNextBuild>;
let kept: string;
const sites: OwnSite[] = [];

test.beforeAll(async () => {
  next = makeNextBuild();
  kept = mkdtempSync(join(tmpdir(), "kept-"));
  // One after the other, as in a deployment: each hands its files on when it starts.
  for (const folder of [DIST, next.folder]) {
    sites.push(await startOwnSite({ FRONTEND_DIR: folder, KEPT_FILES_DIR: kept }));
  }
});
test.afterAll(() => {
  for (const site of sites) {
    site.close();
  }
  next.remove();
  rmSync(kept, { recursive: true });
});

// One after another: a build and two sites are made for all of them.
test.describe.configure({ mode: "default" });

for (const path of ["/", "/dental-implants", "/treatments/all-on-4"]) {
  test(`${path}, open since before a deployment, checks, sends, thanks and leads on`, async ({ page }) => {
    const [before, after] = sites;
    const way = await openWay(before?.url ?? "");
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(way.url + path, { waitUntil: "networkidle" });
    way.origin = after?.url ?? "";
    expect(await (await page.request.get(way.url + path)).text()).toContain(AFTER);
    const form = new FormBlock(page);
    await expect(form.root).not.toContainText(AFTER);
    await form.submit.click();
    await expect(form.root.getByRole("region", { name: "Please check 4 fields" })).toBeVisible();
    const email = freshEmail();
    await form.fill(email);
    await form.submit.click();
    await expect(page.getByText(/^Thank you! We('ll contact you within 24 hours| have your enquiry)\.$/)).toBeVisible();
    await expect(page).toHaveURL(/\/thank-you\?reference=\d{6}/);
    const record = await crmRecord({ Email: email });
    await expect(page.locator("[data-reference]")).toHaveText(String(record.Website_Reference));
    await page.getByRole("link", { name: "Return to Homepage" }).click();
    await expect(page).toHaveURL(`${way.url}/`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(complaints).toEqual([]);
    way.close();
  });
}
