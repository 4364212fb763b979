/** Prints what the clinic must still give before the site goes live, in this order. Exits with 1 where something forbids it. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { runnerImport } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const { module } = await runnerImport("./scripts/content/goLive.ts", {
  root,
  configFile: false,
  logLevel: "error",
});
const file = fileURLToPath(new URL("../../.env", import.meta.url));
const settings = { ...(existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {}), ...process.env };
const steps = module.goLive(`${root}content`, settings, new Date().toISOString().slice(0, 10));
console.log("To go live, in this order:\n");
for (const [place, { title, where, open, stops = [] }] of steps.entries()) {
  const sign = stops.length > 0 ? "✗" : open.length > 0 ? " " : "✓";
  console.log(`${sign} ${place + 1}. ${title}: ${where}`);
  for (const line of [...stops.map((stop) => `STOP: ${stop}`), ...open]) {
    console.log(`       ${line}`);
  }
}
if (steps.some(({ stops = [] }) => stops.length > 0)) {
  console.log("\nNot to go live before what is marked with STOP is decided.");
  process.exitCode = 1;
}
