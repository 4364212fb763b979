/** A deployment while pages are open: another build behind the same address, which keeps the files of the one before. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { styleSources } from "../scripts/prerender/styles.mjs";
import { FormBlock } from "./support/form";
import { type OwnSite, startOwnSite } from "./support/ownSite";
import { crmRecord, freshEmail } from "./support/product";
import { openProxy } from "./support/proxy";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const BEFORE = "Start your journey to a perfect smile today";
const AFTER = "Start your journey to a perfect smile this week";
const HASHED = /-([\w-]{8})(\.\w+)$/;
const TEXTS = new Set([".html", ".js", ".css", ".json"]);

const renamed = (name: string) =>
  name.replace(HASHED, (_, hash: string, end: string) => `-${[...hash].reverse().join("")}${end}`);

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Writes the next build of the site into the folder: one sentence is another, and with it the name of every file that has a hash. */
function makeNextBuild(folder: string): void {
  cpSync(DIST, folder, { recursive: true, filter: (name) => !/\.(br|gz)$/.test(name) });
  const files = filesIn(folder);
  const hashed = new Set(files.map((file) => basename(file)).filter((name) => HASHED.test(name)));
  for (const file of files) {
    if (TEXTS.has(extname(file))) {
      const text = readFileSync(file, "utf8").replaceAll(BEFORE, AFTER);
      writeFileSync(
        file,
        text.replace(/[\w.-]+/g, (name) => (hashed.has(name) ? renamed(name) : name)),
      );
    }
    if (hashed.has(basename(file))) {
      renameSync(file, join(dirname(file), renamed(basename(file))));
    }
  }
  const pages = filesIn(folder).filter((name) => name.endsWith(".html"));
  const policy = join(folder, "with-samples/policy.json");
  const sources = styleSources(pages.map((name) => readFileSync(name, "utf8")));
  writeFileSync(policy, JSON.stringify({ ...JSON.parse(readFileSync(policy, "utf8")), "style-src": sources }));
}

let next: string;
let kept: string;
const sites: OwnSite[] = [];

test.beforeAll(async () => {
  [next, kept] = [mkdtempSync(join(tmpdir(), "next-")), mkdtempSync(join(tmpdir(), "kept-"))];
  makeNextBuild(next);
  // One after the other, as in a deployment: each hands its files on when it starts.
  for (const folder of [DIST, next]) {
    sites.push(await startOwnSite({ FRONTEND_DIR: folder, KEPT_FILES_DIR: kept }));
  }
});
test.afterAll(() => {
  for (const site of sites) {
    site.close();
  }
  rmSync(next, { recursive: true });
  rmSync(kept, { recursive: true });
});

// One after another: a build and two sites are made for all of them.
test.describe.configure({ mode: "default" });

for (const path of ["/", "/dental-implants", "/treatments/all-on-4"]) {
  test(`${path}, open since before a deployment, checks, sends, thanks and leads on`, async ({ page }) => {
    const [before, after] = sites;
    const proxy = await openProxy(before?.url ?? "");
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(proxy.url + path, { waitUntil: "networkidle" });
    proxy.origin = after?.url ?? "";
    expect(await (await page.request.get(proxy.url + path)).text()).toContain(AFTER);
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
    await expect(page).toHaveURL(`${proxy.url}/`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(complaints).toEqual([]);
    proxy.close();
  });
}
