/**
 * Adds the rules of what only a script shows, as they come with its code ("?inline"): the first load does not have them, and
 * nothing is there without them. The layers of the page's own sheet hold for them, too. Class names are as written.
 */
export function addSheet(rules: string): void {
  if (import.meta.env.SSR) {
    return;
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets.push(sheet);
}
