/**
 * What a phone can lose: fails each file and request of a visit with an enquiry, one at a time, against the running product.
 * Fails when an enquiry is lost, a page is white, or what it says is not true.
 *
 *   node scripts/lostFiles.mjs [--list] [--short] [--page PATH] [--only TEXT] [--engine NAME] [--jobs N] [--report FILE]
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { runnerImport } from "vite";
import { isInstalled, NEEDED } from "../../proofs/browsers/installed.mjs";

const { values: options } = parseArgs({
  options: {
    list: { type: "boolean" },
    short: { type: "boolean" },
    page: { type: "string" },
    only: { type: "string" },
    engine: { type: "string" },
    jobs: { type: "string", default: "4" },
    report: { type: "string" },
  },
});
// An interrupted run ends its browsers, too.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => process.exit(1));
}
const root = fileURLToPath(new URL("..", import.meta.url));
const load = async (file) =>
  (await runnerImport(`./e2e/${file}`, { root, configFile: false, logLevel: "error" })).module;
const { browserLaunch } = await load("support/browser.ts");
const { chromiumEngine } = await load("support/visitor.ts");
const { casesOf, PAGES, shortSet } = await load("lost/cases.ts");
const { countsTable, line, reportPage } = await load("lost/report.ts");
const { runAll } = await load("lost/run.ts");
const { baseUrl } = await load("support/product.ts");

const PHONE = { width: 390, height: 844, calm: false, eager: true };

async function openChromium(own) {
  const browser = await chromium.launch(await browserLaunch(own));
  return { ...chromiumEngine(browser), close: () => browser.close() };
}

/** The machine's own Firefox or WebKit, one browser for each visitor. */
async function openOther(name, open) {
  const { version, close } = await open(PHONE);
  await close();
  return { name: `${name} ${version}`, obeys: false, open: () => open(PHONE), close: () => undefined };
}

const ENGINES = {
  bundled: () => openChromium(""),
  chromium: () => openChromium(NEEDED.Chromium.programs.chromium),
  firefox: async () => openOther("Firefox", (await import("../../proofs/browsers/firefox.mjs")).openFirefox),
  webkit: async () => openOther("WebKit", (await import("../../proofs/browsers/webkit.mjs")).openWebKit),
};
const isThere = (name) =>
  Object.keys(NEEDED).every((engine) => engine.toLowerCase() !== name || isInstalled(engine));
const wanted = Object.keys(ENGINES).filter((name) => !options.engine || name === options.engine);
const pages = PAGES.filter((page) => !options.page || page === options.page);
const fits = ({ name, how }) => `${name} ${how}`.includes(options.only ?? "");

const begun = Date.now();
const results = [];
const names = [];
for (const name of wanted.filter(isThere)) {
  const engine = await ENGINES[name]();
  names.push(engine.name);
  console.log(`== ${engine.name}`);
  for (const page of pages) {
    const all = await casesOf(engine, baseUrl(), page);
    const cases = (options.short ? shortSet(all, PAGES.indexOf(page)) : all).filter(fits);
    if (options.list) {
      console.log(cases.map((one) => `${one.path.padEnd(22)} ${one.name.padEnd(28)} ${one.how}`).join("\n"));
      continue;
    }
    let done = 0;
    const tell = (result) => {
      done += 1;
      console.log(`${String(done).padStart(3)}/${cases.length} ${line(result)}`);
    };
    results.push(...(await runAll(engine, baseUrl(), cases, { jobs: Number(options.jobs), tell })));
  }
  await engine.close();
}
if (!options.list) {
  const minutes = ((Date.now() - begun) / 60_000).toFixed(1);
  const wrong = results.filter(({ troubles }) => troubles.length > 0).length;
  console.log(
    `\n${countsTable(results)}\n\n${wrong} of ${results.length} cases went wrong, in ${minutes} minutes.`,
  );
  if (options.report) {
    const when = new Date().toISOString().slice(0, 10);
    const before = existsSync(options.report) ? readFileSync(options.report, "utf8") : "";
    const took = `${when}, ${minutes} minutes with all of that run`;
    writeFileSync(options.report, reportPage(results, names, took, before));
  }
  process.exitCode = wrong === 0 && results.length > 0 ? 0 : 1;
}
