/** Draws the treatments' pictures anew, into src/images/treatments/: one vocabulary of teeth, implants, gum and bone. */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const WIDTH = 480;
const HEIGHT = 360;
const fixed = (value) => Number(value.toFixed(1));

const GRADIENTS = `<defs>
<linearGradient id="t" x1="0" x2="1"><stop offset="0" stop-color="#8FA3AE"/><stop offset=".3" stop-color="#F1F5F6"/><stop offset=".55" stop-color="#BFCCD3"/><stop offset="1" stop-color="#708793"/></linearGradient>
<linearGradient id="e" x1="0" y1="0" x2=".9" y2="1"><stop offset="0" stop-color="#FFFFFF"/><stop offset=".55" stop-color="#FBF7EC"/><stop offset="1" stop-color="#DDD4BE"/></linearGradient>
<linearGradient id="z" x1="0" y1="0" x2=".9" y2="1"><stop offset="0" stop-color="#FFFFFF" stop-opacity=".95"/><stop offset="1" stop-color="#B9D6D8" stop-opacity=".75"/></linearGradient>
<linearGradient id="g" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#EDBFB2"/><stop offset="1" stop-color="#DFA394"/></linearGradient>
<linearGradient id="b" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#F6EBD8"/><stop offset="1" stop-color="#EBDCC1"/></linearGradient>
</defs>`;

const picture = (...parts) =>
  `<svg xmlns="http://www.w3.org/2000/svg" role="presentation" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">
${GRADIENTS}
<path d="M0 0h${WIDTH}v${HEIGHT}H0Z" fill="#E3F1EF"/>
<circle cx="240" cy="172" r="150" fill="#FBFAF7" opacity=".7"/>
${parts.flat(Infinity).join("\n")}
</svg>
`;

const at = (x, y, turn, flip, ...parts) =>
  `<g transform="translate(${fixed(x)} ${fixed(y)})${turn ? ` rotate(${fixed(turn)})` : ""}${flip ? " scale(1 -1)" : ""}">${parts.flat(Infinity).join("")}</g>`;

/** A screw that points down from its head at (0, 0). */
function implant(length, width = 26) {
  const half = width / 2;
  const tip = half * 0.55;
  const turns = Math.max(4, Math.round(length / 12));
  const step = (length - 22) / turns;
  const threads = Array.from({ length: turns }, (_, turn) => {
    const y = 14 + turn * step;
    const reach = half + 3 - (half - tip) * (y / length);
    return `M${fixed(-reach)} ${fixed(y + 4)}L${fixed(reach)} ${fixed(y)}v3.500L${fixed(-reach)} ${fixed(y + 7.5)}Z`;
  });
  const body = `M${-half} 0H${half}L${fixed(tip)} ${length - 8}Q${fixed(tip * 0.7)} ${length} 0 ${length}T${fixed(-tip)} ${length - 8}Z`;
  return [
    `<path d="${body}" fill="url(#t)"/>`,
    `<path d="${threads.join("")}" fill="#5F7682" opacity=".75"/>`,
    `<path d="M${-half - 2}-3h${width + 4}v7h${-width - 4}Z" fill="url(#t)"/>`,
  ];
}

/** A post that stands on an implant's head, pointing up. */
const abutment = (width = 18, height = 26) =>
  `<path d="M${-width / 2 - 4} 0L${-width / 2 + 2} ${-height}H${width / 2 - 2}L${width / 2 + 4} 0Z" fill="url(#t)"/>`;

/** A crown that stands on (0, 0), pointing up. */
function crown(width, height, { fill = "e", molar = false } = {}) {
  const half = width / 2;
  const top = molar
    ? `C${-half - 2} ${-height * 0.85} ${-half * 0.8} ${-height - 4} ${-half * 0.45} ${-height}Q${-half * 0.2} ${-height + 1} 0 ${-height * 0.86}Q${half * 0.2} ${-height + 1} ${half * 0.45} ${-height}C${half * 0.8} ${-height - 4} ${half + 2} ${-height * 0.85}`
    : `C${-half - 1} ${-height * 0.8} ${-half * 0.9} ${-height} ${-half * 0.4} ${-height}H${half * 0.4}C${half * 0.9} ${-height} ${half + 1} ${-height * 0.8}`;
  const outline = `M${fixed(-half * 0.72)} 0C${fixed(-half)} ${fixed(-height * 0.2)} ${fixed(-half)} ${fixed(-height * 0.35)} ${fixed(-half)} ${fixed(-height * 0.5)}${top.replace(/-?\d+\.\d+/g, (n) => fixed(Number(n)))} ${fixed(half)} ${fixed(-height * 0.5)}C${fixed(half)} ${fixed(-height * 0.35)} ${fixed(half)} ${fixed(-height * 0.2)} ${fixed(half * 0.72)} 0Q0 ${fixed(height * 0.07)} ${fixed(-half * 0.72)} 0Z`;
  const shine = `<path d="M${fixed(-half * 0.55)} ${fixed(-height * 0.35)}Q${fixed(-half * 0.68)} ${fixed(-height * 0.6)} ${fixed(-half * 0.45)} ${fixed(-height * 0.82)}" fill="none" stroke="#fff" stroke-width="${fixed(width * 0.07)}" stroke-linecap="round"/>`;
  return [`<path d="${outline}" fill="url(#${fill})" stroke="#D3C9B1" stroke-width="1"/>`, shine];
}

/** Gum and bone of a lower jaw whose crest lies at y; flipped they are an upper jaw. */
const jaw = (y, bone = 26) => [
  `<path d="M-60 ${y + 8}C60 ${y - 12} 130 ${y + 4} 240 ${y - 2}S420 ${y - 12} 540 ${y + 8}V700H-60Z" fill="url(#g)"/>`,
  `<path d="M-60 ${y + bone + 10}C60 ${y + bone - 8} 140 ${y + bone + 6} 240 ${y + bone}S420 ${y + bone - 8} 540 ${y + bone + 10}V700H-60Z" fill="url(#b)"/>`,
];

const flipped = (...parts) =>
  `<g transform="translate(0 ${HEIGHT}) scale(1 -1)">${parts.flat(Infinity).join("\n")}</g>`;

/** A row of crowns over the middle, larger in front; `lift` bends the row like an arch seen from the front. */
function row(count, y, { from = 62, to = 418, height = 62, lift = 12 } = {}) {
  const weights = Array.from(
    { length: count },
    (_, place) => 1 + 0.22 * Math.sin((Math.PI * (place + 0.5)) / count),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let x = from;
  return weights.map((weight, place) => {
    const width = ((to - from) * weight) / total;
    const middle = x + width / 2;
    x += width;
    const bend = lift * Math.sin((Math.PI * (place + 0.5)) / count) - lift;
    const tall = height * (0.82 + 0.18 * Math.sin((Math.PI * (place + 0.5)) / count));
    return at(
      middle,
      y - bend,
      0,
      false,
      crown(width - 2, tall, { molar: place === 0 || place === count - 1 }),
    );
  });
}

/** The base that carries an arch: pink, a little wider than its crowns. */
const base = (y, from = 54, to = 426) =>
  `<path d="M${from} ${y + 6}Q240 ${y - 14} ${to} ${y + 6}L${to - 8} ${y + 30}Q240 ${y + 12} ${from + 8} ${y + 30}Z" fill="#E7A99B"/>`;

/** An arch on implants: x of each head and its tilt in degrees. */
function arch(y, implants, length = 104) {
  return [
    jaw(y + 26, 22),
    implants.map(([x, tilt]) => at(x, y + 34, tilt, false, implant(length, 22), abutment(14, 20))),
    base(y),
    row(10, y + 12),
  ];
}

const TWELVE = Array.from({ length: 12 }, (_, place) => 77 + place * 29.6);

const PICTURES = {
  "dental-implants": picture(
    jaw(178),
    at(98, 182, 0, false, crown(92, 104, { molar: true })),
    at(382, 182, 0, false, crown(92, 104, { molar: true })),
    at(240, 206, 0, false, implant(128, 34), `<g transform="translate(0 -14)">${abutment(26, 38)}</g>`),
    at(240, 136, 0, false, crown(88, 98, { molar: true })),
  ),
  "zirconia-crowns": picture(
    jaw(232),
    at(132, 236, -3, false, crown(96, 132)),
    at(348, 236, 3, false, crown(96, 132)),
    `<path d="M212 238L220 172Q240 160 260 172L268 238Z" fill="#F3E3C4"/>`,
    at(240, 206, 0, false, crown(106, 140, { fill: "z" })),
  ),
  "zygomatic-implants": picture(
    flipped(
      jaw(148, 30),
      [
        [126, 38],
        [354, -38],
      ].map(([x, tilt]) => at(x, 166, tilt, false, implant(186, 22), abutment(14, 22))),
      [
        [202, 4],
        [278, -4],
      ].map(([x, tilt]) => at(x, 166, tilt, false, implant(98, 22), abutment(14, 22))),
      base(124),
      row(10, 136),
    ),
  ),
  // The rear implants' heads stand far back, and their tips lean forward past the nerve.
  "all-on-4": picture(
    arch(138, [
      [98, -36],
      [202, 0],
      [278, 0],
      [382, 36],
    ]),
  ),
  "all-on-6": picture(
    arch(
      138,
      [92, 152, 211, 269, 328, 388].map((x) => [x, 0]),
      100,
    ),
  ),
  "full-mouth-implants": picture(
    flipped(
      jaw(232, 20),
      TWELVE.map((x) => at(x, 240, 0, false, implant(82, 13), abutment(9, 16))),
      base(208),
      row(12, 218, { height: 44, lift: 8 }),
    ),
    jaw(232, 20),
    TWELVE.map((x) => at(x, 240, 0, false, implant(82, 13), abutment(9, 16))),
    base(208),
    row(12, 218, { height: 44, lift: 8 }),
  ),
  "hollywood-smile": picture(
    `<path d="M40 150Q140 96 240 122Q340 96 440 150Q380 292 240 296Q100 292 40 150Z" fill="#D98B80"/>`,
    `<path d="M66 156Q150 120 240 138Q330 120 414 156Q360 262 240 266Q120 262 66 156Z" fill="#7E3F3B"/>`,
    flipped(row(8, 214, { from: 86, to: 394, height: 84, lift: -14 })),
  ),
};

const folder = fileURLToPath(new URL("../../src/images/treatments/", import.meta.url));
await mkdir(folder, { recursive: true });
for (const [name, svg] of Object.entries(PICTURES)) {
  await writeFile(`${folder}${name}.svg`, svg);
}
