/** One arch as SVG, before or after treatment. Teeth come from teeth.mjs; here is how they look. */
import { closed, open } from "./curve.mjs";
import { random } from "./random.mjs";
import { FINDINGS, healthy } from "./teeth.mjs";

const short = (number) => Number(number.toFixed(1));

const SMOOTH_EDGE = [
  [1, 0.56],
  [0.985, 0.8],
  [0.93, 0.94],
  [0.74, 1],
  [0.3, 1.008],
  [-0.3, 1.008],
  [-0.74, 1],
  [-0.93, 0.94],
  [-0.985, 0.8],
  [-1, 0.56],
];
const POINTED_EDGE = [
  [1, 0.54],
  [0.97, 0.78],
  [0.8, 0.91],
  [0.3, 0.995],
  [-0.05, 1.015],
  [-0.4, 0.99],
  [-0.82, 0.92],
  [-0.97, 0.79],
  [-1, 0.54],
];
const NECK = [
  [-0.9, 0.3],
  [-0.74, 0.1],
  [-0.44, 0.005],
  [0, -0.025],
  [0.44, 0.005],
  [0.74, 0.1],
  [0.9, 0.3],
];

function wornEdge(wear, next) {
  const low = 1 - wear;
  const chips = [0.8, 0.45, 0.1, -0.3, -0.62, -0.86];
  return [
    [1, 0.5],
    [0.97, low - 0.06],
    ...chips.map((x) => [x, low + next() * 0.05]),
    [-0.97, low - 0.08],
    [-1, 0.5],
  ];
}

function outline(tooth, next) {
  const edge = tooth.wear > 0 ? wornEdge(tooth.wear, next) : tooth.place === 2 ? POINTED_EDGE : SMOOTH_EDGE;
  const gapOfLight = tooth.width / 2 - 0.6;
  return [...NECK, ...edge].map(([x, y]) => [
    x * gapOfLight * (tooth.place === 2 ? tooth.side : 1),
    y * tooth.height,
  ]);
}

function spotsOf({ width, height, stain }, next) {
  return Array.from({ length: stain > 0.5 ? 3 : 0 }, () => {
    const [x, y] = [(next() - 0.5) * width * 0.5, height * (0.2 + next() * 0.5)];
    return `<ellipse cx="${short(x)}" cy="${short(y)}" rx="${short(width * 0.2)}" ry="${short(height * 0.1)}" fill="#7d4f1d" opacity=".3" filter="url(#soft)"/>`;
  });
}

function drawTooth(tooth, next) {
  const { height, width, stain, shade, side, place } = tooth;
  const id = `${side < 0 ? "l" : "r"}${place}`;
  const half = width / 2;
  const light = open([
    [-half * 0.4, height * 0.22],
    [-half * 0.5, height * 0.45],
    [-half * 0.42, height * (0.7 - tooth.wear)],
  ]);
  const again = (fill, opacity) => `<use href="#${id}" fill="${fill}" opacity="${opacity}"/>`;
  return [
    `<g transform="translate(${short(tooth.x)} ${short(tooth.edge - height)}) rotate(${short(tooth.turn)} 0 ${short(height / 2)})">`,
    `<defs><path id="${id}" d="${closed(outline(tooth, next))}"/></defs>`,
    again("url(#enamel)", 1),
    stain > 0 ? again("url(#stain)", stain.toFixed(2)) : "",
    ...spotsOf(tooth, next),
    again("url(#round)", 1),
    again("url(#tip)", 1),
    `<path d="${light}" fill="none" stroke="#fff" stroke-width="${short(half * 0.2)}" stroke-linecap="round" opacity="${(0.6 - stain * 0.35).toFixed(2)}" filter="url(#soft)"/>`,
    shade > 0 ? again("#0c1c2b", shade) : "",
    "</g>",
  ].join("");
}

/** The gum's edge: over each neck an arch, between two teeth a point, over a gap a smooth ridge. */
function gumLine(teeth) {
  const points = [[-20, 196]];
  for (const tooth of [...teeth].sort((one, other) => one.x - other.x)) {
    const neck = tooth.edge - tooth.height;
    const half = tooth.width / 2;
    const deep = neck + tooth.height * (tooth.gone ? 0.16 : 0.4);
    const high = neck + tooth.height * (tooth.gone ? 0.2 : 0.075);
    points.push([tooth.x - half, deep], [tooth.x - half * 0.62, (high * 3 + deep) / 4], [tooth.x, high]);
    points.push([tooth.x + half * 0.62, (high * 3 + deep) / 4], [tooth.x + half, deep]);
  }
  points.push([620, 196]);
  return points;
}

const DEFINITIONS = `<defs>
<linearGradient id="enamel" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#f0e2c6"/><stop offset=".3" stop-color="#faf4e6"/><stop offset=".8" stop-color="#fdfaf3"/><stop offset="1" stop-color="#eef0ee"/></linearGradient>
<linearGradient id="stain" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#a8742e" stop-opacity=".85"/><stop offset=".5" stop-color="#c99a4e" stop-opacity=".62"/><stop offset="1" stop-color="#c8a163" stop-opacity=".55"/></linearGradient>
<linearGradient id="round" x1="0" x2="1"><stop offset="0" stop-color="#6b4a38" stop-opacity=".42"/><stop offset=".18" stop-color="#6b4a38" stop-opacity=".06"/><stop offset=".5" stop-color="#fff" stop-opacity=".1"/><stop offset=".82" stop-color="#6b4a38" stop-opacity=".08"/><stop offset="1" stop-color="#6b4a38" stop-opacity=".5"/></linearGradient>
<linearGradient id="tip" x1="0" y1="0" x2="0" y2="1"><stop offset=".8" stop-color="#9fb4c4" stop-opacity="0"/><stop offset="1" stop-color="#8fa6b8" stop-opacity=".38"/></linearGradient>
<linearGradient id="gum" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#c97a78"/><stop offset=".55" stop-color="#dd9a93"/><stop offset="1" stop-color="#e9b2a8"/></linearGradient>
<linearGradient id="behind" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#0d1f30"/><stop offset=".6" stop-color="#173449"/><stop offset="1" stop-color="#24485c"/></linearGradient>
<linearGradient id="sides" x1="0" x2="1"><stop offset="0" stop-color="#0d1f30" stop-opacity=".62"/><stop offset=".22" stop-color="#0d1f30" stop-opacity=".12"/><stop offset=".5" stop-color="#0d1f30" stop-opacity="0"/><stop offset=".78" stop-color="#0d1f30" stop-opacity=".12"/><stop offset="1" stop-color="#0d1f30" stop-opacity=".62"/></linearGradient>
<filter id="soft" x="-50%" y="-20%" width="200%" height="140%"><feGaussianBlur stdDeviation="3.2"/></filter>
<filter id="shadow" x="-5%" y="-20%" width="110%" height="150%"><feGaussianBlur stdDeviation="5"/></filter>
</defs>`;

export function drawArch({ finding, seed, restored }) {
  const next = random(seed);
  const teeth = restored ? healthy() : FINDINGS[finding](healthy(), next);
  // The back is drawn first; the front teeth stand before it.
  const standing = teeth.filter(({ gone }) => !gone).sort((one, other) => other.place - one.place);
  const line = gumLine(teeth);
  const gum = `${open(line)}L620 -10L-20 -10Z`;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="78 64 444 296" width="600" height="400">',
    DEFINITIONS,
    '<rect y="60" width="600" height="310" fill="url(#behind)"/>',
    `<path d="${gum}" fill="#6d3436" transform="translate(0 9)" filter="url(#shadow)"/>`,
    ...standing.map((tooth) => drawTooth(tooth, next)),
    `<path d="${gum}" fill="#7c3b3a" opacity=".4" transform="translate(0 4)" filter="url(#soft)"/>`,
    `<path d="${gum}" fill="url(#gum)"/>`,
    `<path d="${open(line.map(([x, y]) => [x, y - 9]))}" fill="none" stroke="#fff" stroke-width="6" opacity=".16" filter="url(#soft)"/>`,
    '<rect y="60" width="600" height="310" fill="url(#sides)"/>',
    "</svg>\n",
  ].join("\n");
}
