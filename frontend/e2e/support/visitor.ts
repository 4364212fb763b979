/** What a visitor can do in any engine; proofs/browsers has the same for the machine's own Firefox and WebKit. */
import type { Browser } from "@playwright/test";

export interface Visitor {
  /** Returns when the page is there, or soon after: some part of it may never come. */
  go: (address: string) => Promise<unknown>;
  /** Runs in the page: the function sees its arguments only. */
  run: <Result, Values extends unknown[]>(
    code: (...values: Values) => Result,
    ...values: Values
  ) => Promise<Result>;
  click: (place: string) => Promise<unknown>;
  write: (text: string) => Promise<unknown>;
  press: (key: string) => Promise<unknown>;
  close: () => Promise<unknown>;
  /** Only where the engine can be told. */
  setOffline?: (offline: boolean) => Promise<unknown>;
}

export interface Engine {
  /** With its version. */
  name: string;
  /** Where scripts can be switched off, and a browser told that it is offline. */
  obeys: boolean;
  open: (options: { javaScript: boolean }) => Promise<Visitor>;
}

const PHONE = { width: 390, height: 844 };
const ACTION_MS = 5_000;
const KEY_MS = 15;

/** A phone in the browser: each visitor has a store and a cache of its own. */
export function chromiumEngine(browser: Browser): Engine {
  return {
    name: `Chromium ${browser.version()}`,
    obeys: true,
    open: async ({ javaScript }) => {
      const context = await browser.newContext({
        viewport: PHONE,
        hasTouch: true,
        javaScriptEnabled: javaScript,
        locale: "en-GB",
        timezoneId: "Europe/London",
      });
      const page = await context.newPage();
      page.setDefaultTimeout(ACTION_MS);
      return {
        go: async (address) => {
          await page.goto(address, { waitUntil: "commit" });
          await page.waitForLoadState("load").catch(() => undefined);
        },
        // Playwright's own types of what a page may return are narrower.
        run: (code, ...values) =>
          page.evaluate(`(${code})(${values.map((value) => JSON.stringify(value)).join()})`),
        click: (place) => page.locator(place).first().click(),
        // With time between the keys, as people type: what the page does meanwhile must take none away.
        write: (text) => page.keyboard.type(text, { delay: KEY_MS }),
        press: (key) => page.keyboard.press(key),
        close: () => context.close(),
        setOffline: (offline) => context.setOffline(offline),
      };
    },
  };
}
