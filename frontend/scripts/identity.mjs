/** Renders the picture of shared links and the icons into public/, from name, texts, favicon and a background. */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { cardPage } from "./identity/card.mjs";
import { icoOf } from "./identity/icon.mjs";
import { photograph } from "./identity/photograph.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const ICONS = [
  { file: "apple-touch-icon.png", size: 180, square: true },
  { file: "icon-192.png", size: 192 },
  { file: "icon-512.png", size: 512 },
  { file: "favicon.ico", size: 32 },
];

const encoded = async (path, type) =>
  `data:${type};base64,${(await readFile(root + path)).toString("base64")}`;
const font = (path) => encoded(`node_modules/@fontsource-variable/${path}`, "font/woff2");

const sign = await readFile(`${root}src/favicon.svg`, "utf8");
const content = async (file) => parse(await readFile(`${root}content/${file}`, "utf8"));
const { name } = await content("clinic.yaml");
const { home } = await content("heroes.yaml");
const { topBar } = await content("site.yaml");
const card = cardPage({
  sign,
  name,
  fonts: {
    serif: await font("lora/files/lora-latin-wght-normal.woff2"),
    sans: await font("source-sans-3/files/source-sans-3-latin-wght-normal.woff2"),
  },
  ground: await encoded("scripts/identity/card.webp", "image/webp"),
  title: home.title,
  line: topBar.instead,
});
// iOS rounds the corners itself.
const iconPage = ({ size, square }) =>
  `<style>*{margin:0}svg{display:block;width:${size}px}</style>${square ? sign.replace('rx="9"', "") : sign}`;
const [cardJpg, ...iconPngs] = await photograph([
  { html: card, width: 1200, height: 630, jpeg: 84 },
  ...ICONS.map((icon) => ({ html: iconPage(icon), width: icon.size, height: icon.size })),
]);

await writeFile(`${root}public/card.jpg`, cardJpg);
for (const [index, { file, size }] of ICONS.entries()) {
  const png = iconPngs[index];
  await writeFile(`${root}public/${file}`, file.endsWith(".ico") ? icoOf(png, size) : png);
}
