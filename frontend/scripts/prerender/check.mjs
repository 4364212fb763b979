/** What every pre-rendered page must hold, and must not hold. */
const SETTINGS = "<!--settings-->";

const around = (html, index) => html.slice(Math.max(0, index - 40), index + 80);

function checkPolicy(html) {
  // Data blocks are not executed: the content security policy allows them.
  const inline = /<script(?![^>]*\bsrc=)(?! type="application\/ld\+json")|\sstyle="/.exec(html);
  if (inline) {
    return `has inline script or style near: ${around(html, inline.index)}`;
  }
  return html.split(SETTINGS).length === 2 ? null : `must hold ${SETTINGS} exactly once`;
}

/** Before the content comes one small asynchronous script, and nothing else that is fetched; after it the fonts. */
function checkScripts(html) {
  const early =
    /<link rel="stylesheet"|<link rel="modulepreload"|<link rel="preload"(?=[\s\S]*<div id="root">)|<script(?![^>]*\sasync)[^>]*\ssrc=/.exec(
      html,
    );
  if (early) {
    return `loads something before its first paint near: ${around(html, early.index)}`;
  }
  return /<script async type="module" data-app="[^"]+"/.test(html)
    ? null
    : "must have the one script that starts the app, with the app's files";
}

function checkNumbers(html, { tokens, placeholders }) {
  const links = {
    "tel:": `href="tel:${tokens.clinicPhoneDigits}"`,
    "https://wa.me/": `href="https://wa.me/${tokens.whatsappNumber}?`,
  };
  for (const [start, wanted] of Object.entries(links)) {
    const found = [...html.matchAll(new RegExp(`href="${start}`, "g"))];
    const wrong = found.find(({ index }) => !html.startsWith(wanted, index));
    if (found.length === 0 || wrong) {
      return `must have links with ${wanted} and no other${wrong ? `; there is: ${around(html, wrong.index)}` : ""}`;
    }
  }
  const placeholder = placeholders.find((number) => html.includes(number));
  if (placeholder) {
    return `holds the placeholder number ${placeholder} near: ${around(html, html.indexOf(placeholder))}`;
  }
  return null;
}

/** `known`: those that the server fills. */
function checkTokens(html, known) {
  const unknown = (html.match(/\{\{[^}]*\}\}/g) ?? []).find((token) => !known.includes(token));
  return unknown ? `holds ${unknown}, which the server does not fill` : null;
}

/** Throws for a page that may not be served. `numbers`: the tokens of phone numbers and what must not stand there. */
export function checkPage(html, path, numbers) {
  const problem =
    checkPolicy(html) ??
    checkScripts(html) ??
    checkNumbers(html, numbers) ??
    checkTokens(html, Object.values(numbers.tokens));
  if (problem) {
    throw new Error(`The page ${path} ${problem}`);
  }
}
