import { execFileSync } from "node:child_process";
import { defineConfig } from "@playwright/test";
import { browserLaunch } from "./e2e/support/browser";
import { baseUrl } from "./e2e/support/product";

const launchOptions = await browserLaunch();
// Each worker reads this file too.
if (process.env.TEST_WORKER_INDEX === undefined) {
  console.log(`${execFileSync(launchOptions.executablePath, ["--version"])}`.trim());
}

export default defineConfig({
  testDir: "e2e",
  workers: 3,
  projects: [
    // One product, one CRM: the journeys go one after another. Beside them go the visits that only have to be stored, and
    // what only looks at pages, or is the operators'.
    { name: "journeys", testIgnore: /(flower|lostFiles|pages|places)\.spec\.ts/, workers: 1 },
    { name: "visits", testMatch: /lostFiles\.spec\.ts/, workers: 1 },
    { name: "pages", testMatch: /(flower|pages|places)\.spec\.ts/, fullyParallel: true },
  ],
  // Ends what hangs; a busy machine needs half a minute for axe at three widths. What a page promises has its own limits.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  reporter: [["list"]],
  use: {
    baseURL: baseUrl(),
    locale: "en-GB",
    timezoneId: "Europe/London",
    viewport: { width: 1280, height: 800 },
    launchOptions,
    trace: "retain-on-failure",
  },
});
