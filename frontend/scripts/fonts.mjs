/**
 * Makes fonts/: the site's two faces with the weights that its pages use, each in two files. Every page fetches the first;
 * the second has the letters that only some names need, and src/styles/fonts.css says which. `npm run fonts` after a change
 * here or of the packages; with --check it fails when the files are not what it makes.
 */
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import subsetFont from "subset-font";

const PACKAGES = "@fontsource-variable";
const FONTS = join(import.meta.dirname, "../fonts");

/** By face: the package's file, and the weights that the style sheets ask for. */
const FACES = {
  lora: { from: "lora/files/lora-latin-wght-normal.woff2", weights: 500 },
  "source-sans-3": {
    from: "source-sans-3/files/source-sans-3-latin-wght-normal.woff2",
    weights: { min: 400, max: 600 },
  },
};

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, place) => from + place);

/** English with its prices, and the names of the languages that staff speak. */
const FIRST = [
  ...range(0x20, 0x7e),
  ...[0xa0, 0xa3, 0xa9, 0xb7, 0xe7, 0xf1, 0xf6, 0xfc],
  ...[0x2007, 0x2013, 0x2019, 0x20ac],
];

/** Western Europe's letters and signs, the Turkish ones that the packages' Latin files have, and typographic marks. */
const ALL = [
  ...range(0x20, 0x7e),
  ...range(0xa0, 0xff),
  ...[0x131, 0x152, 0x153, 0x178],
  ...range(0x2007, 0x200a),
  ...range(0x2010, 0x2026),
  ...[0x202f, 0x2039, 0x203a, 0x20ac, 0x2122, 0x2190, 0x2192, 0x2212],
];

/** The code points of a face's two files, by the end of the files' names. */
export const PARTS = { latin: FIRST, more: ALL.filter((letter) => !FIRST.includes(letter)) };

async function face({ from, weights }, letters) {
  const source = await readFile(createRequire(import.meta.url).resolve(`${PACKAGES}/${from}`));
  const text = String.fromCodePoint(...letters);
  return subsetFont(source, text, { targetFormat: "woff2", variationAxes: { wght: weights } });
}

if (process.argv[1] === import.meta.filename) {
  const files = Object.entries(FACES).flatMap(([name, made]) =>
    Object.entries(PARTS).map(([part, letters]) => [`${name}-${part}.woff2`, made, letters]),
  );
  for (const [name, made, letters] of files) {
    const file = join(FONTS, name);
    const bytes = await face(made, letters);
    if (process.argv.includes("--check")) {
      process.exitCode = bytes.equals(await readFile(file)) ? process.exitCode : 1;
    } else {
      await writeFile(file, bytes);
    }
  }
}
