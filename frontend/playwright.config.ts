import { defineConfig } from "@playwright/test";
import { browserLaunch } from "./e2e/support/browser";
import { baseUrl } from "./e2e/support/product";

export default defineConfig({
  testDir: "e2e",
  // Two cores, one product, one CRM: journeys one after another are easier to read and no slower.
  workers: 1,
  timeout: 45_000,
  expect: { timeout: 7_000 },
  forbidOnly: true,
  reporter: [["list"]],
  use: {
    baseURL: baseUrl(),
    locale: "en-GB",
    timezoneId: "Europe/London",
    viewport: { width: 1280, height: 800 },
    launchOptions: await browserLaunch(),
    trace: "retain-on-failure",
  },
});
