/**
 * Walks the journeys through the running product in the machine's own engines: all of Playwright's in its Chromium; in
 * Firefox and WebKit those on which engines differ, at two sizes and with and without motion, and what a phone can lose. An
 * engine that is not installed is named, and left out; without any, nothing can be said, and the exit code is 1.
 *
 *   node run.mjs [--only chromium|firefox|webkit] [--journey NAME]     node run.mjs --check
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isInstalled, NEEDED } from "./installed.mjs";

const { values: options } = parseArgs({
  options: { check: { type: "boolean" }, only: { type: "string" }, journey: { type: "string" } },
});
const WINDOWS = [
  { width: 390, height: 844, calm: false },
  { width: 1440, height: 900, calm: true },
];
const FRONTEND = fileURLToPath(new URL("../../frontend", import.meta.url));
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
    return `${await JOURNEYS[name](browser, site)} (${engine} ${browser.version})`;
  } finally {
    await browser.close();
  }
}

/** Of one engine: how many journeys failed. */
async function walkAll(engine) {
  let failed = 0;
  for (const size of WINDOWS) {
    for (const name of Object.keys(JOURNEYS).filter((one) => !options.journey || one === options.journey)) {
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
  return failed;
}

/** A command of the front end, with its own output: 1 when it fails. */
function runInFrontend(command, variables = {}) {
  const settings = { cwd: FRONTEND, env: { ...process.env, ...variables }, stdio: "inherit" };
  return spawnSync(command[0], command.slice(1), settings).status === 0 ? 0 : 1;
}

let failed = 0;
for (const engine of there) {
  if (engine === "Chromium") {
    const narrowed = options.journey ? ["--", "-g", options.journey] : [];
    failed += runInFrontend(["npm", "run", "--silent", "e2e", ...narrowed], {
      CHROMIUM: NEEDED.Chromium.programs.chromium,
    });
    continue;
  }
  failed += await walkAll(engine);
  if (!options.journey) {
    failed += runInFrontend(["node", "scripts/lostFiles.mjs", "--short", "--engine", engine.toLowerCase()]);
  }
}
console.log(failed === 0 ? "All journeys went well." : `${failed} journeys failed.`);
process.exitCode = failed === 0 ? 0 : 1;
