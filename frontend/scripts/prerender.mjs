/**
 * Writes one HTML file per route from the built template, and dist/routes.json, the list of them.
 * The same files once more under with-samples/ hold the content that is still marked as a sample.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const WITH_SAMPLES = "with-samples";
const SETTINGS = "<!--settings-->";
const LAYERS = "reset tokens base components sections pages";
const TEXT_FACE = "source-sans-3-latin-wght-normal";

/** Source file of each page, as the bundler's manifest knows it. */
const PAGE_FILES = {
  home: "src/pages/HomePage.tsx",
  landing: "src/pages/LandingPage.tsx",
  thankYou: "src/pages/ThankYouPage.tsx",
  notFound: "src/pages/NotFoundPage.tsx",
};

const attribute = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** Everything a page's first paint imports, without what it imports later. */
function assetsOf(manifest, name, seen = new Set()) {
  const chunk = manifest[name];
  if (chunk === undefined || seen.has(name)) {
    return { scripts: [], styles: [] };
  }
  seen.add(name);
  const inner = (chunk.imports ?? []).map((imported) => assetsOf(manifest, imported, seen));
  return {
    scripts: [chunk.file, ...inner.flatMap(({ scripts }) => scripts)],
    styles: [...inner.flatMap(({ styles }) => styles), ...(chunk.css ?? [])],
  };
}

function head(document, manifest, template) {
  const entry = assetsOf(manifest, "index.html");
  const page = assetsOf(manifest, PAGE_FILES[document.page]);
  const absent = (files) => [...new Set(files)].filter((file) => !template.includes(`/${file}"`));
  const textFace = Object.values(manifest).find(({ file }) => file.includes(TEXT_FACE));
  return [
    `<title>${attribute(document.title)}</title>`,
    `<meta name="description" content="${attribute(document.description)}" />`,
    `<meta name="robots" content="${document.robots}" />`,
    `<link rel="canonical" href="${document.canonical}" />`,
    ...(textFace
      ? [`<link rel="preload" as="font" type="font/woff2" crossorigin href="/${textFace.file}" />`]
      : []),
    ...absent([...entry.styles, ...page.styles]).map((file) => `<link rel="stylesheet" href="/${file}" />`),
    ...absent([...entry.scripts, ...page.scripts]).map(
      (file) => `<link rel="modulepreload" href="/${file}" />`,
    ),
  ].join("\n    ");
}

function check(html, path) {
  const inline = /<script(?![^>]*\bsrc=)|<style[\s>]|\sstyle="/.exec(html);
  if (inline) {
    throw new Error(
      `${path} has inline script or style near: ${html.slice(inline.index, inline.index + 120)}`,
    );
  }
  if (html.split(SETTINGS).length !== 2) {
    throw new Error(`${path} must hold ${SETTINGS} exactly once`);
  }
}

/** The layers' order is that of their first appearance; bundling must not have changed it. */
async function checkLayers(template) {
  const [, sheet] = /href="\/(assets\/[^"]+\.css)"/.exec(template) ?? [];
  const css = await readFile(join(dist, sheet), "utf8");
  const named = [...css.matchAll(/@layer ([\w, ]+)[{;]/g)].flatMap(([, names]) => names.split(/, */));
  const order = [...new Set(named.map((name) => name.trim()))].join(" ");
  if (order !== LAYERS) {
    throw new Error(`Cascade layers come as "${order}", not "${LAYERS}"`);
  }
}

const { renderAll } = await import(join(root, ".ssr", "entry-server.js"));
const manifest = JSON.parse(await readFile(join(dist, ".vite", "manifest.json"), "utf8"));
const template = await readFile(join(dist, "index.html"), "utf8");
await checkLayers(template);

async function writePage(document, folder) {
  const file = document.path === "*" ? "404.html" : join(document.path.slice(1), "index.html");
  const html = template
    .replace("<!--head-->", () => head(document, manifest, template))
    .replace("<!--app-->", () => document.html);
  check(html, document.path);
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), html);
  return [document.path, file];
}

async function writePages(samples, folder) {
  const documents = await renderAll(samples);
  const written = await Promise.all(documents.map((document) => writePage(document, folder)));
  return Object.fromEntries(written.filter(([path]) => path !== "*"));
}

const routes = await writePages(false, dist);
await writePages(true, join(dist, WITH_SAMPLES));

await writeFile(join(dist, "routes.json"), `${JSON.stringify(routes, null, 2)}\n`);
// The manifest has done its work; what is served is pages and assets only.
await writeFile(join(root, ".ssr", "manifest.json"), JSON.stringify(manifest));
await rm(join(dist, ".vite"), { recursive: true });
console.log(`${Object.keys(routes).length} routes and the not-found page written`);
