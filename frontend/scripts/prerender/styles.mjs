/**
 * The style sheet stands in each page: it is there with the page or not at all, and the first paint waits for no second
 * answer. A page has the rules of its kind alone; the app fetches the whole sheet for a change to a page of another kind. The
 * content security policy names each kind's rules by their hash.
 */
import { createHash } from "node:crypto";
import { build } from "vite";
import { moduleOfName } from "../classNames.mjs";

const LINK = /<link rel="stylesheet"[^>]* href="\/([^"]+\.css)">/;
const STYLE = /<style[^>]*>(.*?)<\/style>/gs;

/** The address of the sheet that a built template names. */
export const sheetOf = (template) => LINK.exec(template)[1];

/** Where visitors arrive has rules of its own. All other pages share theirs, because the policy of every answer names each. */
const KINDS = ["home", "landing", "treatment"];
const kindOf = ({ page, samples }) => `${KINDS.includes(page) ? page : "other"} ${samples}`;

const modulesIn = (html) =>
  [...html.matchAll(/ class="([^"]*)"/g)]
    .flatMap(([, names]) => names.split(" "))
    .map((name) => moduleOfName.get(name))
    .filter(Boolean);

async function without(sheet, unusedSymbols) {
  const css = { lightningcss: { unusedSymbols } };
  const options = { write: false, rolldownOptions: { input: sheet } };
  const { output } = await build({ configFile: false, logLevel: "error", css, build: options });
  return output.find(({ fileName }) => fileName.endsWith(".css")).source.trim();
}

/**
 * The rules of each kind of page, without those of CSS modules that only pages of other kinds have, or those with samples.
 * What no page has as it is built, a script may show anywhere. `sheet`: the file with all rules; `pages`: {html, page,
 * samples, plain?}.
 */
export async function rulesByKind(sheet, pages) {
  const built = new Set(pages.filter(({ plain }) => !plain).flatMap(({ html }) => modulesIn(html)));
  const rules = new Map();
  for (const kind of new Set(pages.map(kindOf))) {
    const used = new Set(pages.filter((page) => kindOf(page) === kind).flatMap(({ html }) => modulesIn(html)));
    const unused = [...moduleOfName].filter(([, module]) => built.has(module) && !used.has(module));
    const names = unused.map(([name]) => name);
    rules.set(kind, await without(sheet, names));
  }
  return rules;
}

/** The page with the rules of its kind in it. `sheet`: the address of the whole sheet, for the app. */
export const withStyle = (page, rules) =>
  page.html.replace(LINK, (_, sheet) => `<style data-sheet="/${sheet}">${rules.get(kindOf(page))}</style>`);

/** The rules of each sheet in a page. */
const stylesOf = (html) => [...html.matchAll(STYLE)].map(([, rules]) => rules);

/** What the policy must allow for the sheets in these pages. */
export const styleSources = (pages) =>
  [...new Set(pages.flatMap(stylesOf))].map(
    (rules) => `'sha256-${createHash("sha256").update(rules).digest("base64")}'`,
  );
