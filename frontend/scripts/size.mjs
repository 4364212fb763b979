/**
 * Prints what the server sends for each page's first load, and fails when a budget is exceeded. 1 kB is 1000 bytes, without
 * headers. "script" is what answers the first press. "paint" is all that a phone fetches before the largest paint: the
 * document with its style sheet, that script, the fonts, and the first screen's picture. Documents: with samples and without.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { settings } from "../.ssr/entry-server.js";
import { stylesOf } from "./prerender/styles.mjs";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const BUDGETS_KB = { JavaScript: 86, CSS: 10.7, fonts: 30, script: 6.3, paint: 76 };
/** Lighthouse's phone: 412 px at a density of 1.75. */
const PHONE_PIXELS = 412 * 1.75;
/** How the server (web/site.py) compresses pages when it starts, with its settings in them. */
const AS_AT_START = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };
const SAMPLES = "with-samples/";
const PAGES = {
  home: "with-samples/index.html",
  landing: "with-samples/dental-implants/index.html",
  treatment: "with-samples/treatments/all-on-4/index.html",
  "thank-you": "with-samples/thank-you/index.html",
  privacy: "privacy/index.html",
  "to decide": "before-you-decide/index.html",
};

/** A file goes out as the build compressed it. */
const sent = (file) => {
  const path = join(dist, file);
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size / 1000;
};
const sum = (files) => files.reduce((total, file) => total + sent(file), 0);

function documentSent(page) {
  const block = `<script type="application/json" id="settings">${JSON.stringify(settings)}</script>`;
  const html = readFileSync(join(dist, page), "utf8").replace("<!--settings-->", block);
  return brotliCompressSync(html, AS_AT_START).length / 1000;
}

/** The font files that the letters of a page ask for: of the faces of a family that list a letter, the last. */
function fontsOf(css, html) {
  const text = html.replace(/<(script|option)\b.*?<\/\1>|<[^>]+>/gs, "");
  const letters = new Set([...text].map((letter) => letter.codePointAt(0)));
  const faces = [...css.matchAll(/@font-face\{([^}]*\.woff2[^}]*)\}/g)].map(([, face]) => ({
    family: /font-family:([^;]+)/.exec(face)?.[1],
    file: /\/(assets\/[^)"']+\.woff2)/.exec(face)?.[1],
    ranges: [...face.matchAll(/U\+(\w+)(?:-(\w+))?/gi)].map(([, from, to = from]) => [from, to]),
  }));
  const has = (letter, { ranges }) =>
    ranges.some(([from, to]) => letter >= parseInt(from, 16) && letter <= parseInt(to, 16));
  const families = [...new Set(faces.map(({ family }) => family))];
  const files = families.flatMap((family) =>
    [...letters].map((letter) => faces.findLast((face) => face.family === family && has(letter, face))?.file),
  );
  return [...new Set(files)].filter(Boolean);
}

/** The file of the first screen's picture that a phone chooses; none where the page has no such picture. */
function pictureOf(html) {
  const [, candidates, sizes] =
    /<source type="image\/avif" srcSet="([^"]+)" sizes="([^"]+)"\/>(?:(?!<\/picture>).)*fetchPriority="high"/s.exec(
      html,
    ) ?? [];
  if (candidates === undefined) {
    return [];
  }
  const share = Number(/(\d+)vw$/.exec(sizes)[1]) / 100;
  const files = candidates.split(", ").map((candidate) => candidate.split(" "));
  const [file] = files.find(([, width]) => parseInt(width, 10) >= share * PHONE_PIXELS) ?? files.at(-1);
  return [file.slice(1)];
}

/** What a page needs before it is alive: its first script, the app and the page; and before it is painted. */
function firstLoad(_name, page) {
  const html = readFileSync(join(dist, page), "utf8");
  const [, app = ""] = /data-app="([^"]*)"/.exec(html) ?? [];
  const first = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file]) => file);
  const scripts = [...new Set([...first, ...app.split(" ").filter(Boolean)])];
  const styles = stylesOf(html);
  const fonts = fontsOf(styles.join(""), html);
  if (first.length !== 1 || scripts.length < 2 || styles.length !== 1 || fonts.length < 2) {
    throw new Error(
      `${page} names no script, style sheet or font, or several first ones: nothing was measured`,
    );
  }
  return {
    JavaScript: sum(scripts),
    CSS: brotliCompressSync(styles.join("")).length / 1000,
    fonts: sum(fonts),
    script: sum(first),
    paint: documentSent(page) + sum([...first, ...fonts, ...pictureOf(html)]),
  };
}

for (const [name, page] of Object.entries(PAGES)) {
  const parts = Object.entries(firstLoad(name, page)).map(([what, size]) => {
    const budget = BUDGETS_KB[what];
    const over = size > budget;
    process.exitCode = over ? 1 : process.exitCode;
    return `${what} ${size.toFixed(1)} of ${budget} kB${over ? " EXCEEDED" : ""}`;
  });
  const documents = [...new Set([page, page.replace(SAMPLES, "")])].map((each) =>
    documentSent(each).toFixed(1),
  );
  console.log(`${name.padEnd(10)} ${parts.join(" · ")} · document ${documents.join(", ")} kB`);
}
