/**
 * Measures pages as on a phone: slow 4G, a processor four times slower, 412 px. Prints LCP, CLS with its causes, and TBT
 * after the first paint, with the figure that includes earlier tasks beside it.
 * BASE_URL=http://127.0.0.1:8000 node scripts/vitals.mjs / /dental-implants
 */
import { chromium } from "@playwright/test";
import { browserLaunch } from "./browserLaunch.mjs";

const base = process.env.BASE_URL;
if (!base) {
  console.error("Set BASE_URL to the address of the running site, for example http://127.0.0.1:8000");
  process.exit(1);
}
/** Lighthouse's slow 4G: 1.6 Mbit/s down, 750 kbit/s up, 150 ms round trip. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const named = process.argv.slice(2);
const paths = named.length > 0 ? named : ["/", "/dental-implants"];

function watch() {
  const seen = { lcp: 0, element: "", cls: 0, shifts: [], first: 0, tasks: [] };
  const observe = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  const nameOf = (node) => `${node?.nodeName ?? "?"}.${node?.className ?? ""}`;
  observe("largest-contentful-paint", (entry) => {
    seen.lcp = entry.startTime;
    seen.element = nameOf(entry.element);
  });
  observe("layout-shift", (entry) => {
    if (!entry.hadRecentInput) {
      seen.cls += entry.value;
      seen.shifts.push(
        `${entry.value.toFixed(4)} at ${Math.round(entry.startTime)} ms: ${entry.sources.map((source) => nameOf(source.node)).join(", ")}`,
      );
    }
  });
  observe("longtask", (entry) => {
    seen.tasks.push({ end: entry.startTime + entry.duration, held: Math.max(0, entry.duration - 50) });
  });
  observe("paint", (entry) => {
    seen.first = entry.startTime;
  });
  window.seen = seen;
}

const browser = await chromium.launch(await browserLaunch());
for (const path of paths) {
  const page = await browser.newPage({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
  });
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW_4G);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.addInitScript(watch);
  await page.goto(new URL(path, base).href, { waitUntil: "networkidle" });
  await page.waitForTimeout(1500);
  const { lcp, element, cls, shifts, first, tasks } = await page.evaluate(() => window.seen);
  const held = (from) =>
    Math.round(tasks.filter(({ end }) => end > from).reduce((sum, task) => sum + task.held, 0));
  console.log(
    `${path}: LCP ${Math.round(lcp)} ms (${element}) · CLS ${cls.toFixed(4)} · TBT ${held(first)} ms (${held(0)} ms in all)`,
  );
  for (const shift of shifts) {
    console.log(`  ${shift}`);
  }
  await page.close();
}
await browser.close();
