/** A page's head: title, description, address, previews; and the files that the app needs first. */

/** The picture of a shared link: the page's own (public/cards/), else the clinic's. */
const CARD = { path: "/card.jpg", width: 1200, height: 630 };

/** Both are on the first screen: found by the style sheet alone they come late, and a heading may wrap again. */
const FACES = ["source-sans-3", "lora"];

/** What src/arrival.ts starts. */
const APP_FILE = "src/entry-client.tsx";

/** Source file of each page, as named in the bundler's manifest. */
const PAGE_FILES = {
  home: "src/pages/HomePage.tsx",
  landing: "src/pages/LandingPage.tsx",
  treatment: "src/pages/TreatmentPage.tsx",
  thankYou: "src/pages/ThankYouPage.tsx",
  privacy: "src/pages/PrivacyPage.tsx",
  terms: "src/pages/TermsPage.tsx",
  complaint: "src/pages/ComplaintPage.tsx",
  notFound: "src/pages/NotFoundPage.tsx",
};

const attribute = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** A chunk's script and those of its static imports, without dynamic ones. */
function scriptsOf(manifest, name, seen = new Set()) {
  const chunk = manifest[name];
  if (chunk === undefined || seen.has(name)) {
    return [];
  }
  seen.add(name);
  return [chunk.file, ...(chunk.imports ?? []).flatMap((imported) => scriptsOf(manifest, imported, seen))];
}

/** The scripts that a page needs to become alive, but for the first one: the app, the page and its words. */
export function appFiles(document, manifest, template) {
  const parts = [APP_FILE, PAGE_FILES[document.page], `content/landing/${document.landing}.yaml`];
  const scripts = parts.flatMap((part) => scriptsOf(manifest, part));
  return [...new Set(scripts)].filter((file) => !template.includes(`/${file}"`));
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
  const named = {
    card: "summary_large_image",
    title: document.title,
    description: document.description,
    image: card,
  };
  return [
    ...Object.entries(open).map(
      ([key, value]) => `<meta property="og:${key}" content="${attribute(`${value}`)}" />`,
    ),
    ...Object.entries(named).map(
      ([key, value]) => `<meta name="twitter:${key}" content="${attribute(value)}" />`,
    ),
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
    `<meta name="robots" content="${document.robots}" />`,
    `<link rel="canonical" href="${document.canonical}" />`,
    ...previews(document, identity, cards),
    ...(document.structuredData ? [dataBlock(document.structuredData)] : []),
  ].join("\n    ");
}

/** Tells the page's first script which files to fetch once the page is painted. */
export function withAppFiles(html, files) {
  return html.replace('<script async type="module"', `$& data-app="${files.join(" ")}"`);
}
