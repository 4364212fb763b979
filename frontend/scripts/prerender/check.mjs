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

/** `known`: whether the server fills a token. */
function checkTokens(html, known) {
  const unknown = (html.match(/\{\{[^}]*\}\}|\{%[^%]*%\}/g) ?? []).find((token) => !known(token));
  return unknown ? `holds ${unknown}, which the server does not fill` : null;
}

function refuse(path, problem) {
  if (problem) {
    throw new Error(`The page ${path} ${problem}`);
  }
}

/** Throws for a page that may not be served. `numbers`: the tokens of phone numbers and what must not stand there. */
export function checkPage(html, path, numbers) {
  const isToken = (token) => Object.values(numbers.tokens).includes(token);
  refuse(
    path,
    checkPolicy(html) ?? checkScripts(html) ?? checkNumbers(html, numbers) ?? checkTokens(html, isToken),
  );
}

/** Names of web/plain.py. */
const NAME = "(?:state|values|errors)\\.\\w+";
const EITHER = `${NAME}(?: or ${NAME})*`;
/** What web/plain.py fills, in Jinja's words. */
const FILLED = [
  new RegExp(`^\\{\\{ (?:${NAME}|errors\\|length) \\}\\}$`),
  new RegExp(
    `^\\{% if (?:errors|errors\\|length == 1|${NAME} == "[^"]+"|${EITHER}|not \\(${EITHER}\\)) %\\}$`,
  ),
  /^\{% (?:else|endif) %\}$/,
];

function checkPlain(html) {
  const script = /<script|\sstyle="|\son\w+="/.exec(html);
  if (script) {
    return `has script or inline style near: ${around(html, script.index)}`;
  }
  if (!html.includes('<meta name="robots" content="noindex" />')) {
    return "must not be listed by search engines";
  }
  const form = /<form\b(?=[^>]* method="post")[^>]* action="\//.test(html);
  return form ? null : "must have a form that is posted";
}

/** Throws for a form without any script that the server could not fill, or that would need a script. */
export function checkPlainPage(html, name, numbers) {
  const isKnown = (token) =>
    Object.values(numbers.tokens).includes(token) || FILLED.some((filled) => filled.test(token));
  refuse(name, checkPlain(html) ?? checkNumbers(html, numbers) ?? checkTokens(html, isKnown));
}
