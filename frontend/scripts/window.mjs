/**
 * A window that stays open on a page, as an operator's does, photographed whenever it is asked. Reads commands from its input,
 * a line of JSON each, and answers each with a line: {"words": "SHUT", "file": "shut.png"} waits for the words and takes a picture.
 *   WINDOW_LOGIN=user:password node window.mjs URL
 */
import { createInterface } from "node:readline";
import { chromium } from "@playwright/test";
import { browserLaunch } from "./browserLaunch.mjs";

const [username, password] = (process.env.WINDOW_LOGIN ?? ":").split(":");
const browser = await chromium.launch(await browserLaunch());
const page = await browser.newPage({
  viewport: { width: 1120, height: 780 },
  locale: "en-GB",
  timezoneId: "UTC",
  httpCredentials: { username, password },
});
await page.goto(process.argv[2]);
console.log("open");
for await (const line of createInterface({ input: process.stdin })) {
  const { words, file } = JSON.parse(line);
  await page.getByText(new RegExp(words)).first().waitFor({ timeout: 60_000 });
  await page.screenshot({ path: file, animations: "disabled" });
  console.log("taken");
}
await browser.close();
