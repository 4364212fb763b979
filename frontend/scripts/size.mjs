/** Prints the brotli size of home's first load and fails when a budget is exceeded. 1 kB is 1000 bytes. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const BUDGETS_KB = { JavaScript: 90, CSS: 20, fonts: 70 };

const html = readFileSync(join(dist, "index.html"), "utf8");
const references = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file);
const first = [...new Set(references)];
const styles = first.filter((file) => file.endsWith(".css"));
const scripts = first.filter((file) => file.endsWith(".js"));
const css = styles.map((file) => readFileSync(join(dist, file), "utf8")).join("");
const fonts = [...new Set([...css.matchAll(/\/(assets\/[^)"']+\.woff2)/g)].map(([, file]) => file))];

const compressed = (file) => brotliCompressSync(readFileSync(join(dist, file))).length / 1000;
const plain = (file) => statSync(join(dist, file)).size / 1000;
const sum = (files, measure) => files.reduce((total, file) => total + measure(file), 0);

const measured = {
  JavaScript: sum(scripts, compressed),
  CSS: sum(styles, compressed),
  fonts: sum(fonts, plain),
};

let exceeded = scripts.length === 0;
for (const [what, size] of Object.entries(measured)) {
  const over = size > BUDGETS_KB[what];
  exceeded ||= over;
  console.log(
    `${what.padEnd(11)} ${size.toFixed(1).padStart(6)} kB of ${BUDGETS_KB[what]} kB${over ? "  EXCEEDED" : ""}`,
  );
}
console.log(`document    ${compressed("index.html").toFixed(1).padStart(6)} kB`);
process.exitCode = exceeded ? 1 : 0;
