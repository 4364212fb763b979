/** The picture of a shared link, 1200 × 630, as a page to photograph. */
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
export function cardPage({ fonts, sign, picture, beside = false, name, title, line }) {
  return `<!doctype html><meta charset="utf-8"><style>${style(fonts)}</style>
<img class="${beside ? "beside" : "ground"}" src="${picture}"><div class="band"></div>
<div class="words"><div class="name">${sign}<span><b>${name.first}</b>${name.rest}</span></div><h1>${title}</h1><p>${line}</p></div>`;
}
