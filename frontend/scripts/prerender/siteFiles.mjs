/** Files for crawlers and home screens, written beside the pages. */

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** The site's own address: SITE_URL, or the one in content. Throws for anything but an origin. */
export function siteAddress(environment, fromContent) {
  const given = environment.SITE_URL || fromContent;
  const { origin, protocol } = new URL(given);
  if (!protocol.startsWith("http") || given.replace(/\/$/, "") !== origin) {
    throw new Error(`The site's address must be like https://clinic.example, not "${given}"`);
  }
  return origin;
}

/** The addresses of the pages that search engines may list, each once. */
export function listedAddresses(documents) {
  const listed = documents.filter(({ robots }) => robots !== "noindex").map(({ canonical }) => canonical);
  return [...new Set(listed)];
}

function sitemap(addresses, lastUpdated) {
  const entries = addresses.map(
    (address) => `  <url><loc>${escaped(address)}</loc><lastmod>${lastUpdated}</lastmod></url>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("")}</urlset>\n`;
}

function manifest({ name, shortName, colours }) {
  const icon = (size) => ({ src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: "image/png" });
  const files = {
    name,
    short_name: shortName,
    start_url: "/",
    display: "browser",
    background_color: colours.paper,
    theme_color: colours.ink,
    icons: [icon(192), icon(512)],
  };
  return `${JSON.stringify(files, null, 2)}\n`;
}

/** Returns texts by file name. `addresses`: those of `listedAddresses`. */
export function siteFiles(base, identity, addresses) {
  return {
    "sitemap.xml": sitemap(addresses, identity.lastUpdated),
    "robots.txt": `User-agent: *\nDisallow: /api/\n\nSitemap: ${base}/sitemap.xml\n`,
    "site.webmanifest": manifest(identity),
  };
}
