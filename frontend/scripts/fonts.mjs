/**
 * Makes fonts/: the site's two faces with the letters and weights that its pages use. `npm run fonts` after a change here
 * or of the packages; with --check it fails when the files are not what it makes.
 */
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import subsetFont from "subset-font";

const PACKAGES = "@fontsource-variable";
const FONTS = join(import.meta.dirname, "../fonts");

/** By file: the package's file, and the weights that the style sheets ask for. */
const FACES = {
  "lora-latin.woff2": { from: "lora/files/lora-latin-wght-normal.woff2", weights: { min: 500, max: 600 } },
  "source-sans-3-latin.woff2": {
    from: "source-sans-3/files/source-sans-3-latin-wght-normal.woff2",
    weights: { min: 300, max: 800 },
  },
};

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, place) => from + place);

/** Western Europe's letters and signs, the Turkish ones that the packages' Latin files have, and typographic marks. */
export const LETTERS = String.fromCodePoint(
  ...range(0x20, 0x7e),
  ...range(0xa0, 0xff),
  ...[0x131, 0x152, 0x153, 0x178],
  ...range(0x2007, 0x200a),
  ...range(0x2010, 0x2026),
  ...[0x202f, 0x2039, 0x203a, 0x20ac, 0x2122, 0x2190, 0x2192, 0x2212],
);

async function face({ from, weights }) {
  const source = await readFile(createRequire(import.meta.url).resolve(`${PACKAGES}/${from}`));
  return subsetFont(source, LETTERS, { targetFormat: "woff2", variationAxes: { wght: weights } });
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, made] of Object.entries(FACES)) {
    const file = join(FONTS, name);
    const bytes = await face(made);
    if (process.argv.includes("--check")) {
      process.exitCode = bytes.equals(await readFile(file)) ? process.exitCode : 1;
    } else {
      await writeFile(file, bytes);
    }
  }
}
