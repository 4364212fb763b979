/** Prints the brotli size of each page's first load and fails when a budget is exceeded. 1 kB is 1000 bytes. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const BUDGETS_KB = { JavaScript: 81, CSS: 12, fonts: 58 };
const PAGES = {
  home: "with-samples/index.html",
  landing: "with-samples/dental-implants/index.html",
  treatment: "with-samples/treatments/all-on-4/index.html",
  "thank-you": "with-samples/thank-you/index.html",
  privacy: "privacy/index.html",
  complaint: "data-complaint/index.html",
};

const compressed = (file) => brotliCompressSync(readFileSync(join(dist, file))).length / 1000;
const plain = (file) => statSync(join(dist, file)).size / 1000;
const sum = (files, measure) => files.reduce((total, file) => total + measure(file), 0);

/** What a page needs before it is alive (its first script, the app and the page), and the fonts of its style sheets. */
function firstLoad(page) {
  const html = readFileSync(join(dist, page), "utf8");
  const [, app = ""] = /data-app="([^"]*)"/.exec(html) ?? [];
  const named = [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, file]) => file);
  const files = new Set([...named, ...app.split(" ").filter(Boolean)]);
  const scripts = [...files].filter((file) => file.endsWith(".js"));
  const styles = [...files].filter((file) => file.endsWith(".css"));
  const css = styles.map((file) => readFileSync(join(dist, file), "utf8")).join("");
  const fonts = new Set([...css.matchAll(/\/(assets\/[^)"']+\.woff2)/g)].map(([, file]) => file));
  if (scripts.length < 2 || styles.length === 0) {
    throw new Error(`${page} names no script or no style sheet: nothing was measured`);
  }
  return {
    JavaScript: sum(scripts, compressed),
    CSS: sum(styles, compressed),
    fonts: sum([...fonts], plain),
  };
}

for (const [name, page] of Object.entries(PAGES)) {
  const parts = Object.entries(firstLoad(page)).map(([what, size]) => {
    const over = size > BUDGETS_KB[what];
    process.exitCode = over ? 1 : process.exitCode;
    return `${what} ${size.toFixed(1)} of ${BUDGETS_KB[what]} kB${over ? " EXCEEDED" : ""}`;
  });
  console.log(`${name.padEnd(10)} ${parts.join(" · ")} · document ${compressed(page).toFixed(1)} kB`);
}
