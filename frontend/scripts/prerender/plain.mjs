/** The pages of forms without any script: templates that the server fills (web/plain.py). No addresses lead to them. */

/** Where the server finds them, beside the pages. */
export const PLAIN = "plain";

const SCRIPT = / *<script\b[^>]*\ssrc="[^"]*"[^>]*><\/script>\n/;
const OPTION = /<option value="([^"]+)">/g;

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** The option that was chosen stays chosen. */
const withChoice = (html) =>
  html.replace(OPTION, `<option value="$1"{% if values.countryCode == "$1" %} selected{% endif %}>`);

/** The page as a template. `template`: the built index.html; `countries`, `fonts`: as for the other pages. */
export function plainPage({ title, html }, { template, countries, fonts }) {
  const head = `<title>${escaped(title)}</title>\n    <meta name="robots" content="noindex" />`;
  return template
    .replace(/ *<!--settings-->\n/, "")
    .replace(SCRIPT, "")
    .replace("<!--head-->", () => head)
    .replace("<!--app-->", () => withChoice(html.replaceAll(countries.mark, countries.options)))
    .replace("<!--fonts-->", () => fonts);
}
