/** A page's head: title, description, address, previews; and the files that the app needs first. */

/** The picture of a shared link: the page's own (public/cards/), else the clinic's. */
const CARD = { path: "/card.jpg", width: 1200, height: 630 };

/** Both are on the first screen: found by the style sheet alone they come late, and a heading may wrap again. */
const FACES = ["source-sans-3-latin", "lora-latin"];

/** What src/arrival.ts starts, and each page's own part, as vite.config.ts names them. */
const APP = "app";
/** The bundler's few helpers, which every part needs. */
const HELPERS = "rolldown-runtime";
const PAGE_PARTS = {
  home: ["page"],
  landing: ["page"],
  treatment: ["page"],
  thankYou: ["ThankYouPage"],
  text: ["legal"],
  beforeYouDecide: ["legal", "BeforeYouDecidePage"],
  notFound: ["NotFoundPage"],
};
/** Before the name of a page of text: the part that has its words. */
const TEXT = "text-";

const attribute = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

const isScript = ({ file }) => file.endsWith(".js");

function partNamed(manifest, name) {
  const part = Object.values(manifest).find((chunk) => isScript(chunk) && chunk.name === name);
  if (part === undefined) {
    throw new Error(`The build has no part "${name}"`);
  }
  return part;
}

/** The scripts that a page needs to become alive, but for the first one: the app and the page. */
export function appFiles(document, manifest) {
  const words = document.text ? [TEXT + document.text] : [];
  return [APP, HELPERS, ...PAGE_PARTS[document.page], ...words].map((name) => partNamed(manifest, name).file);
}

/** Words by which ad blockers know what they keep from a page. */
const BLOCKED =
  /^(ads?|adv|advert.*|analytics?|banners?|beacons?|consents?|cookies?|gtag|gtm|metrics?|pixels?|popups?|promos?|sponsor.*|stats?|statistics|tags?|track.*)$/i;

/** The words of a file's name, without the letters that stand for its content. */
const wordsOf = (file) =>
  file
    .replace(/^.*\//, "")
    .replace(/-[\w-]{8}((-\d+)?\.\w+)$/, "$1")
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .split(/[^A-Za-z]+/);

/** Throws when an ad blocker would keep a file from the page, and with it all that needs it. */
export function checkNames(files) {
  const taken = files.find((file) => wordsOf(file).some((word) => BLOCKED.test(word)));
  if (taken) {
    throw new Error(`Ad blockers would take ${taken}: give it a neutral name`);
  }
}

/** The fonts' preloads. They stand at the end of the document, so that the first screen's picture goes before them. */
export function fontPreloads(manifest) {
  const faces = FACES.map((face) => Object.values(manifest).find(({ file }) => file.includes(`/${face}-`)));
  return faces
    .map(({ file }) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}" />`)
    .join("\n    ");
}

/** The name of a page's own card: "treatments-all-on-4.jpg". */
export const cardName = (canonicalPath) => `${canonicalPath.slice(1).replaceAll("/", "-")}.jpg`;

/** Link previews. `cards`: the names of the pages' own. */
function previews(document, identity, cards) {
  const own = cardName(new URL(document.canonical).pathname);
  const card = new URL(cards.has(own) ? `/cards/${own}` : CARD.path, document.canonical).href;
  const open = {
    type: "website",
    site_name: identity.name,
    locale: "en_GB",
    title: document.title,
    description: document.description,
    url: document.canonical,
    image: card,
    "image:width": CARD.width,
    "image:height": CARD.height,
    "image:alt": identity.name,
  };
  return [
    ...Object.entries(open).map(([key, value]) => `<meta property="og:${key}" content="${attribute(`${value}`)}" />`),
    // Its title, description and picture are those above.
    '<meta name="twitter:card" content="summary_large_image" />',
  ];
}

/** A data block, with `<` escaped so that it cannot end early. */
function dataBlock(data) {
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`;
}

export function headOf(document, identity, cards = new Set()) {
  return [
    `<title>${attribute(document.title)}</title>`,
    `<meta name="description" content="${attribute(document.description)}" />`,
    `<meta name="theme-color" content="${identity.colours.ink}" />`,
    `<meta name="robots" content="${document.robots}" />`,
    `<link rel="canonical" href="${document.canonical}" />`,
    ...previews(document, identity, cards),
    ...(document.structuredData ? [dataBlock(document.structuredData)] : []),
  ].join("\n    ");
}

const SCRIPTS = / *(<!--settings-->|<script\b[^>]*\ssrc="[^"]*"[^>]*><\/script>)\n/g;

/** A page as the server answers with it to a browser that ran none. */
export const withoutScript = (html) => html.replace(SCRIPTS, "");

/** Tells the page's first script which files to fetch once the page is painted. */
export function withAppFiles(html, files) {
  return html.replace('<script async type="module"', `$& data-app="${files.join(" ")}"`);
}
