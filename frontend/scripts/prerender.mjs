/**
 * Writes one HTML file per route from the built template, policy.json, what the content security policy must allow for
 * them, dist/routes.json, the list of them, and dist/clinic.json, what the server says itself: opening hours, signature.
 * In plain/ are the pages that the server fills for each visitor: receipts, and answers to forms without any script.
 * Pages and policy once more under with-samples/ hold the content that is still marked as a sample.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkPage } from "./prerender/check.mjs";
import { compressFiles } from "./prerender/compress.mjs";
import { appFiles, checkNames, fontPreloads, headOf, withAppFiles, withoutScript } from "./prerender/head.mjs";
import { listedAddresses, siteAddress, siteFiles } from "./prerender/siteFiles.mjs";
import { rulesByKind, sheetOf, styleSources, withStyle } from "./prerender/styles.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const WITH_SAMPLES = "with-samples";
const LAYERS = "reset tokens base components sections pages";

/** The order of cascade layers is that of their first appearance: bundling must not change it. */
function checkLayers(css) {
  const named = [...css.matchAll(/@layer ([\w, ]+)[{;]/g)].flatMap(([, names]) => names.split(/, */));
  const order = [...new Set(named.map((name) => name.trim()))].join(" ");
  if (order !== LAYERS) {
    throw new Error(`Cascade layers come as "${order}", not "${LAYERS}"`);
  }
}

const { clinic, countries, embeds, identity, numbers, renderAnswers, receiptTokens, renderAll, renderReceipts } =
  await import(join(root, ".ssr", "entry-server.js"));
const manifest = JSON.parse(await readFile(join(dist, ".vite", "manifest.json"), "utf8"));
const template = await readFile(join(dist, "index.html"), "utf8");
const sheet = join(dist, sheetOf(template));
checkLayers(await readFile(sheet, "utf8"));
checkNames([...(await readdir(dist)), ...(await readdir(join(dist, "assets")))]);
const base = siteAddress(process.env, identity.site);
const cards = new Set(await readdir(join(dist, "cards")));

const made = [];

function pageOf(document, tokens) {
  const html = template
    .replace("<!--head-->", () => headOf(document, identity, cards))
    .replace("<!--app-->", () => document.html.replaceAll(countries.mark, countries.options))
    .replace("<!--fonts-->", () => fontPreloads(manifest));
  const page = withAppFiles(html, appFiles(document, manifest));
  checkPage(page, document.path, { ...numbers, tokens });
  return page;
}

const fileOf = ({ path }) => (path === "*" ? "404.html" : join(path.slice(1), "index.html"));

const folderOf = (samples) => (samples ? join(dist, WITH_SAMPLES) : dist);

async function makePages(samples) {
  const folder = folderOf(samples);
  const documents = await renderAll(samples, base);
  for (const document of documents) {
    const html = pageOf(document, numbers.tokens);
    made.push({ file: join(folder, fileOf(document)), page: document.page, samples, html, plain: false });
  }
  const keep = ({ file, page }, html) =>
    made.push({ file: join(folder, "plain", `${file}.html`), page, samples, html, plain: true });
  for (const document of await renderReceipts(samples, base)) {
    keep(document, pageOf(document, { ...numbers.tokens, ...receiptTokens }));
  }
  for (const document of await renderAnswers(samples, base)) {
    keep(document, withoutScript(pageOf(document, numbers.tokens)));
  }
  return documents;
}

const documents = await makePages(false);
await makePages(true);
const rules = await rulesByKind(sheet, made);
for (const page of made) {
  page.html = withStyle(page, rules);
  await mkdir(dirname(page.file), { recursive: true });
  await writeFile(page.file, page.html);
}
for (const samples of [false, true]) {
  const pages = made.filter((page) => page.samples === samples).map(({ html }) => html);
  const policy = { "frame-src": embeds, "style-src": styleSources(pages) };
  await writeFile(join(folderOf(samples), "policy.json"), `${JSON.stringify(policy)}\n`);
}

for (const [file, text] of Object.entries(siteFiles(base, identity, listedAddresses(documents)))) {
  await writeFile(join(dist, file), text);
}
const routes = Object.fromEntries(documents.filter(({ path }) => path !== "*").map((one) => [one.path, fileOf(one)]));
await writeFile(join(dist, "routes.json"), `${JSON.stringify(routes, null, 2)}\n`);
const known = { ...clinic, signature: [...clinic.signature, base] };
await writeFile(join(dist, "clinic.json"), `${JSON.stringify(known)}\n`);
// The manifest is no longer needed: only pages and assets are served.
await rm(join(dist, ".vite"), { recursive: true });
await compressFiles(dist);
console.log(`${Object.keys(routes).length} routes and the not-found page written`);
