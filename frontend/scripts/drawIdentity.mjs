/** Draws the card of shared links and the icons anew, into public/, from content/clinic.yaml and the favicon. */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { drawArch } from "./draw/arch.mjs";
import { cardPage } from "./draw/card.mjs";
import { icoOf } from "./draw/icon.mjs";
import { photograph } from "./draw/photograph.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const ICONS = [
  { file: "apple-touch-icon.png", size: 180, square: true },
  { file: "icon-192.png", size: 192 },
  { file: "icon-512.png", size: 512 },
  { file: "favicon.ico", size: 32 },
];

async function font(path) {
  const bytes = await readFile(`${root}node_modules/@fontsource-variable/${path}`);
  return `data:font/woff2;base64,${bytes.toString("base64")}`;
}

const sign = await readFile(`${root}src/favicon.svg`, "utf8");
const { name } = parse(await readFile(`${root}content/clinic.yaml`, "utf8"));
const card = cardPage({
  sign,
  name,
  fonts: {
    serif: await font("lora/files/lora-latin-wght-normal.woff2"),
    sans: await font("source-sans-3/files/source-sans-3-latin-wght-normal.woff2"),
  },
  picture: drawArch({ finding: "missing", seed: 1, restored: true }),
  title: "A new smile, planned before you fly",
  line: "Dental implants and crowns in Istanbul",
});
// The home screen rounds the corners itself.
const iconPage = ({ size, square }) =>
  `<style>*{margin:0}svg{display:block;width:${size}px}</style>${square ? sign.replace('rx="9"', "") : sign}`;
const [cardPng, ...iconPngs] = await photograph([
  { html: card, width: 1200, height: 630 },
  ...ICONS.map((icon) => ({ html: iconPage(icon), width: icon.size, height: icon.size })),
]);

await writeFile(`${root}public/card.png`, cardPng);
for (const [index, { file, size }] of ICONS.entries()) {
  const png = iconPngs[index];
  await writeFile(`${root}public/${file}`, file.endsWith(".ico") ? icoOf(png, size) : png);
}
