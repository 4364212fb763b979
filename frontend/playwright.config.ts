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
  // Every test has visitors of its own, and looks for their records alone: all of them share one product and its CRM.
  workers: 3,
  fullyParallel: true,
  projects: [
    // Each of these is several visits at once, and takes longest: they begin first, one after another.
    { name: "visits", testMatch: /lostFiles\.spec\.ts/, workers: 1 },
    { name: "journeys", testIgnore: /lostFiles\.spec\.ts/ },
  ],
  // Ends what hangs; a busy machine needs half a minute for axe at three widths. What a page promises has its own limits.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  // A trace of every journey takes a quarter of all processor time. What failed once has failed, whatever comes of this.
  retries: 1,
  failOnFlakyTests: true,
  reporter: [["list"]],
  use: {
    baseURL: baseUrl(),
    locale: "en-GB",
    timezoneId: "Europe/London",
    viewport: { width: 1280, height: 800 },
    launchOptions,
    trace: "on-first-retry",
  },
});
