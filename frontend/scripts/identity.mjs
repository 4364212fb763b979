/**
 * Renders the pictures of shared links and the icons into public/, from names, texts, favicon, and the pages' pictures: a card
 * for each treatment and landing page, and one for all other pages.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { cardPage } from "./identity/card.mjs";
import { icoOf } from "./identity/icon.mjs";
import { photograph } from "./identity/photograph.mjs";
import { cardName } from "./prerender/head.mjs";

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
const fonts = {
  serif: await font("lora/files/lora-latin-wght-normal.woff2"),
  sans: await font("source-sans-3/files/source-sans-3-latin-wght-normal.woff2"),
};
const ground = await encoded("scripts/identity/card.webp", "image/webp");
const card = (file, words) => ({
  file,
  shot: { html: cardPage({ sign, name, fonts, ...words }), width: 1200, height: 630, jpeg: 84 },
});

const { treatments } = await content("treatments.yaml");
const ofTreatments = treatments.map(async ({ id, image, title, page }) => {
  const picture = await encoded(`images/treatments/${image}-1200.webp`, "image/webp");
  const words = { picture, beside: true, title, line: page.lead };
  return card(`cards/${cardName(`/treatments/${id}`)}`, words);
});
const landings = (await readdir(`${root}content/landing`)).map((file) => file.replace(/\.yaml$/, ""));
const ofLandings = landings.map(async (landing) => {
  const { hero } = await content(`landing/${landing}.yaml`);
  return card(`cards/${cardName(`/${landing}`)}`, {
    picture: ground,
    title: hero.title,
    line: hero.overline,
  });
});
const cards = [
  card("card.jpg", { picture: ground, title: home.title, line: topBar.instead }),
  ...(await Promise.all([...ofTreatments, ...ofLandings])),
];

// iOS rounds the corners itself.
const iconPage = ({ size, square }) =>
  `<style>*{margin:0}svg{display:block;width:${size}px}</style>${square ? sign.replace('rx="9"', "") : sign}`;
const icons = ICONS.map((icon) => ({ html: iconPage(icon), width: icon.size, height: icon.size }));
const pictures = await photograph([...cards.map(({ shot }) => shot), ...icons]);

await mkdir(`${root}public/cards`, { recursive: true });
for (const [index, { file }] of cards.entries()) {
  await writeFile(`${root}public/${file}`, pictures[index]);
}
for (const [index, { file, size }] of ICONS.entries()) {
  const png = pictures[cards.length + index];
  await writeFile(`${root}public/${file}`, file.endsWith(".ico") ? icoOf(png, size) : png);
}
