/** The picture of a shared link, 1200 × 630, as a page to photograph. */
const style = (fonts) => `
@font-face { font-family: Card Serif; src: url("${fonts.serif}"); font-weight: 400 700 }
@font-face { font-family: Card Sans; src: url("${fonts.sans}"); font-weight: 200 900 }
* { margin: 0; box-sizing: border-box }
body { width: 1200px; height: 630px; overflow: hidden; background: #fbfaf7; color: #10263a; font-family: "Card Sans" }
.mint { position: absolute; inset: 0 0 0 640px; background: #e3f1ef }
.words { position: absolute; left: 84px; top: 96px; width: 520px }
.name { display: flex; gap: 20px; align-items: center; font-size: 27px; line-height: 1.2; color: #48606f }
.name b { display: block; color: #10263a; font: 500 38px/1.15 "Card Serif" }
.name svg { width: 76px }
h1 { margin-top: 74px; font: 500 62px/1.08 "Card Serif"; letter-spacing: -0.02em }
p { margin-top: 30px; font-size: 31px; line-height: 1.35; color: #48606f; width: 520px }
.arch { position: absolute; left: 688px; top: 157px; width: 474px; border-radius: 28px }`;

/** `fonts`: addresses of both faces; `sign` and `picture`: SVG text. */
export function cardPage({ fonts, sign, picture, name, title, line }) {
  return `<!doctype html><meta charset="utf-8"><style>${style(fonts)}</style>
<div class="mint"></div>
<div class="words"><div class="name">${sign}<span><b>${name.first}</b>${name.rest}</span></div><h1>${title}</h1><p>${line}</p></div>
<img class="arch" src="data:image/svg+xml,${encodeURIComponent(picture)}">`;
}
