/**
 * Walks the journeys through the running product in Firefox and in WebKit, at two sizes and with and without motion. An
 * engine that is not installed is named, and left out; without any, nothing can be said, and the exit code is 1.
 *
 *   node run.mjs [--only firefox|webkit] [--journey NAME]     node run.mjs --check
 */
import { parseArgs } from "node:util";
import { isInstalled, NEEDED } from "./installed.mjs";

const { values: options } = parseArgs({
  options: { check: { type: "boolean" }, only: { type: "string" }, journey: { type: "string" } },
});
const WINDOWS = [
  { width: 390, height: 844, calm: false },
  { width: 1440, height: 900, calm: true },
];
const wanted = Object.keys(NEEDED).filter((engine) => !options.only || engine.toLowerCase() === options.only);
const there = wanted.filter(isInstalled);
for (const engine of wanted.filter((name) => !isInstalled(name))) {
  console.log(
    `${engine} is not installed, so it is left out (Debian: apt install ${NEEDED[engine].packages})`,
  );
}
if (there.length === 0) {
  console.error("No engine to walk through the site in.");
  process.exit(1);
}
if (options.check) {
  process.exit(0);
}

const { openFirefox } = await import("./firefox.mjs");
const { openWebKit } = await import("./webkit.mjs");
const { JOURNEYS } = await import("./journeys.mjs");
const OPEN = { Firefox: openFirefox, WebKit: openWebKit };
const site = { base: process.env.BASE_URL, sandbox: process.env.SANDBOX_URL };

async function walk(engine, size, name) {
  const browser = await OPEN[engine](size);
  try {
    const [width, height] = await browser.run(() => [window.innerWidth, window.innerHeight]);
    if (width !== size.width || height !== size.height) {
      throw new Error(`the window is ${width} × ${height}`);
    }
    return await JOURNEYS[name](browser, site);
  } finally {
    await browser.close();
  }
}

const names = Object.keys(JOURNEYS).filter((name) => !options.journey || name === options.journey);
let failed = 0;
for (const engine of there) {
  for (const size of WINDOWS) {
    for (const name of names) {
      const place = `${engine.padEnd(8)} ${`${size.width} px`.padEnd(8)} ${size.calm ? "calm  " : "motion"} ${name.padEnd(9)}`;
      const found = await walk(engine, size, name).then(
        (words) => `ok      ${words}`,
        (cause) => {
          failed += 1;
          return `FAILED  ${cause.message}`;
        },
      );
      console.log(`${place} ${found}`);
    }
  }
}
console.log(failed === 0 ? "All journeys went well." : `${failed} journeys failed.`);
process.exitCode = failed === 0 ? 0 : 1;
