import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, defineConfig, firefox, type LaunchOptions, webkit } from "@playwright/test";
import { baseUrl } from "./e2e/support/product";
import { browserLaunch } from "./scripts/browserLaunch.mjs";

/** An installed Chromium must neither look for updates meanwhile nor need a sandbox that root cannot have. */
const OWN = ["--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update"];
const ENGINES = { chromium, firefox, webkit };
type Engine = keyof typeof ENGINES;

function onPath(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/**
 * The bundled Chromium; for `make browsers` those that the machine has: Chromium as visitors have it today, and Playwright's
 * Firefox and WebKit.
 */
async function startable(): Promise<[Engine, LaunchOptions][]> {
  if (!process.env.BROWSERS) {
    return [["chromium", await browserLaunch()]];
  }
  const programs: [Engine, string | undefined][] = [
    ["chromium", onPath("chromium", "chromium-browser", "google-chrome")],
    ["firefox", firefox.executablePath()],
    ["webkit", webkit.executablePath()],
  ];
  return programs.flatMap(([engine, executablePath = ""]) =>
    existsSync(executablePath) ? [[engine, { executablePath, args: engine === "chromium" ? OWN : [] }]] : [],
  );
}

const engines = await startable();
// Each worker reads this file too.
if (process.env.TEST_WORKER_INDEX === undefined) {
  for (const [engine, options] of engines) {
    const browser = await ENGINES[engine].launch(options);
    console.log(`${engine} ${browser.version()}`);
    await browser.close();
  }
}

export default defineConfig({
  testDir: "e2e",
  // Every test has visitors of its own, and looks for their records alone: all of them share one product and its CRM.
  workers: 3,
  fullyParallel: true,
  projects: engines.flatMap(([browserName, launchOptions]) => {
    const use = { browserName, launchOptions };
    return [
      // Each of these is several visits at once, and takes longest: they begin first, one after another.
      { name: `${browserName} visits`, testMatch: /lostFiles\.spec\.ts/, workers: 1, use },
      // Others than Chromium walk the journeys on which engines differ.
      {
        name: browserName,
        testIgnore: /lostFiles\.spec\.ts/,
        grep: browserName === "chromium" ? /./ : /@engines/,
        use,
      },
    ];
  }),
  // Ends what hangs; a busy machine needs minutes for what takes seconds. What a page promises has its own limits.
  timeout: 240_000,
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
    trace: "on-first-retry",
  },
});
