/**
 * Renders the pictures of shared links and the icons into public/, from names, texts, favicon, and the pages' pictures: a card
 * for each treatment and landing page, and one for all other pages.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { parse } from "yaml";
import { browserLaunch } from "./browserLaunch.mjs";
import { cardName } from "./prerender/head.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const ICONS = [
  { file: "apple-touch-icon.png", size: 180, square: true },
  { file: "icon-192.png", size: 192 },
  { file: "icon-512.png", size: 512 },
  { file: "favicon.ico", size: 32 },
];

const style = (fonts) => `
@font-face { font-family: Card Serif; src: url("${fonts.serif}"); font-weight: 400 700 }
@font-face { font-family: Card Sans; src: url("${fonts.sans}"); font-weight: 200 900 }
* { margin: 0; box-sizing: border-box }
body { width: 1200px; height: 630px; overflow: hidden; color: #10263a; font-family: "Card Sans" }
.ground { position: absolute; inset: 0; width: 1200px; height: 630px }
.beside { position: absolute; inset: 0 0 0 628px; width: 572px; height: 630px; object-fit: cover }
.band { position: absolute; inset: 0 572px 0 0; background: #fbfaf7 }
.words { position: absolute; left: 76px; top: 84px; width: 540px }
.name { display: flex; gap: 20px; align-items: center; font-size: 27px; line-height: 1.2; color: #48606f }
.name b { display: block; color: #10263a; font: 500 38px/1.15 "Card Serif" }
.name svg { width: 80px }
h1 { margin-top: 76px; font: 500 64px/1.08 "Card Serif"; letter-spacing: -0.02em }
p { margin-top: 28px; font-size: 31px; line-height: 1.35; color: #48606f }`;

/**
 * `fonts` and `picture`: addresses; `sign`: SVG text. The words are on a plain band beside the picture, which is as large as
 * the card, or with `beside` cut to the place that the band leaves.
 */
function cardPage({ fonts, sign, picture, beside = false, name, title, line }) {
  return `<!doctype html><meta charset="utf-8"><style>${style(fonts)}</style>
<img class="${beside ? "beside" : "ground"}" src="${picture}"><div class="band"></div>
<div class="words"><div class="name">${sign}<span><b>${name.first}</b>${name.rest}</span></div><h1>${title}</h1><p>${line}</p></div>`;
}

/** A PNG inside the old icon format, for clients that request /favicon.ico. */
function icoOf(png, size) {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2); // an icon
  header.writeUInt16LE(1, 4); // of one picture
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10); // colour planes
  header.writeUInt16LE(32, 12); // bits a pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

/** `shots`: {html, width, height, jpeg?: its quality}; returns a PNG or JPEG for each, in order. */
async function photograph(shots) {
  const browser = await chromium.launch(await browserLaunch());
  const pictures = [];
  for (const { html, width, height, jpeg } of shots) {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.setContent(html, { waitUntil: "load" });
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    pictures.push(await page.screenshot(jpeg ? { type: "jpeg", quality: jpeg } : { omitBackground: true }));
    await page.close();
  }
  await browser.close();
  return pictures;
}

const encoded = async (path, type) => `data:${type};base64,${(await readFile(root + path)).toString("base64")}`;
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
