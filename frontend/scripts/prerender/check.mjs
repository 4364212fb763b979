/** What the server fills in every pre-rendered page, and what must not stand there instead. */
const SETTINGS = "<!--settings-->";

const around = (html, index) => html.slice(Math.max(0, index - 40), index + 80);

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
  if (html.split(SETTINGS).length !== 2) {
    return `must hold ${SETTINGS} exactly once`;
  }
  const unknown = (html.match(/\{\{[^}]*\}\}/g) ?? []).find((token) => !known.includes(token));
  return unknown ? `holds ${unknown}, which the server does not fill` : null;
}

/** Throws for a page that may not be served. `numbers`: the tokens of phone numbers and what must not stand there. */
export function checkPage(html, path, numbers) {
  const problem = checkNumbers(html, numbers) ?? checkTokens(html, Object.values(numbers.tokens));
  if (problem) {
    throw new Error(`The page ${path} ${problem}`);
  }
}
