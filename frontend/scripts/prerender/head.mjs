/** A page's head: title, description, address, previews, and the files it needs first. */

/** Both are on the first screen: without a preload a heading is painted twice and may wrap differently. */
const FACES = ["source-sans-3-latin-wght-normal", "lora-latin-wght-normal"];
const CARD = { path: "/card.jpg", width: 1200, height: 630 };

/** Source file of each page, as named in the bundler's manifest. */
const PAGE_FILES = {
  home: "src/pages/HomePage.tsx",
  landing: "src/pages/LandingPage.tsx",
  thankYou: "src/pages/ThankYouPage.tsx",
  privacy: "src/pages/PrivacyPage.tsx",
  terms: "src/pages/TermsPage.tsx",
  complaint: "src/pages/ComplaintPage.tsx",
  notFound: "src/pages/NotFoundPage.tsx",
};

const attribute = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** A chunk's files and those of its static imports, without dynamic ones. */
function assetsOf(manifest, name, seen = new Set()) {
  const chunk = manifest[name];
  if (chunk === undefined || seen.has(name)) {
    return { scripts: [], styles: [] };
  }
  seen.add(name);
  const inner = (chunk.imports ?? []).map((imported) => assetsOf(manifest, imported, seen));
  return {
    scripts: [chunk.file, ...inner.flatMap(({ scripts }) => scripts)],
    styles: [...inner.flatMap(({ styles }) => styles), ...(chunk.css ?? [])],
  };
}

function firstFiles(document, manifest, template) {
  const entry = assetsOf(manifest, "index.html");
  const page = assetsOf(manifest, PAGE_FILES[document.page]);
  const words = assetsOf(manifest, `content/landing/${document.landing}.yaml`);
  const absent = (files) => [...new Set(files)].filter((file) => !template.includes(`/${file}"`));
  const faces = Object.values(manifest).filter(({ file }) => FACES.some((face) => file.includes(face)));
  return [
    ...faces.map(
      ({ file }) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}" />`,
    ),
    ...absent([...entry.styles, ...page.styles]).map((file) => `<link rel="stylesheet" href="/${file}" />`),
    ...absent([...entry.scripts, ...page.scripts, ...words.scripts]).map(
      (file) => `<link rel="modulepreload" href="/${file}" />`,
    ),
  ];
}

/** Link previews. */
function previews(document, identity) {
  const card = new URL(CARD.path, document.canonical).href;
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

export function headOf(document, manifest, template, identity) {
  return [
    `<title>${attribute(document.title)}</title>`,
    `<meta name="description" content="${attribute(document.description)}" />`,
    `<meta name="robots" content="${document.robots}" />`,
    `<link rel="canonical" href="${document.canonical}" />`,
    ...firstFiles(document, manifest, template),
    ...previews(document, identity),
    ...(document.structuredData ? [dataBlock(document.structuredData)] : []),
  ].join("\n    ");
}

/** Gives scripts a low priority: the page is readable without them, so styles and fonts go first on a slow line. */
export function scriptsLast(html) {
  return html.replaceAll(/<(link rel="modulepreload"|script type="module")/g, '<$1 fetchpriority="low"');
}
