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

/** The short names of classes in pages, and their modules. */
function classesOf(pages) {
  const lists = pages.flatMap(({ html }) => [...html.matchAll(/ class="([^"]*)"/g)]);
  return new Set(lists.flatMap(([, names]) => names.split(" ")).flatMap((name) => [name, moduleOfName.get(name)]));
}

async function without(sheet, unusedSymbols) {
  const css = { lightningcss: { unusedSymbols } };
  const options = { write: false, rolldownOptions: { input: sheet } };
  const { output } = await build({ configFile: false, logLevel: "error", css, build: options });
  const rules = output.find(({ fileName }) => fileName.endsWith(".css")).source.trim();
  // Lightning CSS keeps what registers a property that is not used.
  return rules.replace(/@property (--\w+)\{[^}]*\}/g, (own, name) => (rules.includes(`var(${name})`) ? own : ""));
}

/**
 * The rules of each kind of page, without those of CSS modules that only pages of other kinds have, or those with samples;
 * nor those of single classes of a section, which no script moves from page to page. What no page has as it is built, a
 * script may show anywhere. `sheet`: the file with all rules; `pages`: {html, page, samples, plain?}.
 */
export async function rulesByKind(sheet, pages) {
  const built = classesOf(pages.filter(({ plain }) => !plain));
  const rules = new Map();
  for (const kind of new Set(pages.map(kindOf))) {
    const used = classesOf(pages.filter((page) => kindOf(page) === kind));
    const isElsewhere = (name) => built.has(name) && !used.has(name);
    const unused = [...moduleOfName.keys()].filter((name) => {
      const module = moduleOfName.get(name);
      return isElsewhere(module) || (module.startsWith("src/sections/") && isElsewhere(name));
    });
    rules.set(kind, await without(sheet, unused));
  }
  return rules;
}

/** The page with the rules of its kind in it. `sheet`: the address of the whole sheet, for the app. */
export const withStyle = (page, rules) =>
  page.html.replace(LINK, (_, sheet) => `<style data-sheet="/${sheet}">${rules.get(kindOf(page))}</style>`);

/** What the policy must allow for the sheets in these pages. */
export function styleSources(pages) {
  const sheets = new Set(pages.flatMap((html) => [...html.matchAll(STYLE)].map(([, rules]) => rules)));
  return [...sheets].map((rules) => `'sha256-${createHash("sha256").update(rules).digest("base64")}'`);
}
