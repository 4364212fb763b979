/**
 * The style sheet stands in each page: it is there with the page or not at all, and the first paint waits for no second
 * answer. The content security policy names each sheet by its hash.
 */
import { createHash } from "node:crypto";

const LINK = /<link rel="stylesheet"[^>]* href="\/([^"]+\.css)">/;
const STYLE = /<style>(.*?)<\/style>/gs;

/** The address of the sheet that a built template names. */
export function sheetOf(template) {
  const [, file] = LINK.exec(template) ?? [];
  if (file === undefined) {
    throw new Error("The built page names no style sheet");
  }
  return file;
}

/** The template with the rules of its sheet in it. */
export const withStyle = (template, rules) => template.replace(LINK, () => `<style>${rules.trim()}</style>`);

/** The rules of each sheet in a page. */
export const stylesOf = (html) => [...html.matchAll(STYLE)].map(([, rules]) => rules);

/** What the policy must allow for the sheets of these pages: each once. */
export function styleSources(pages) {
  const rules = new Set(pages.flatMap(stylesOf));
  return [...rules].map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
}
