/** Adds the rules of all kinds of page: a document has those of its own (scripts/prerender/styles.mjs). */
export function loadWholeSheet(): Promise<unknown> {
  const own = document.querySelector<HTMLStyleElement>("style[data-sheet]");
  const { sheet } = own?.dataset ?? {};
  if (!own || !sheet) {
    return Promise.resolve();
  }
  const link = document.createElement("link");
  return new Promise((resolve, reject) => {
    link.onload = () => {
      delete own.dataset.sheet;
      resolve(link);
    };
    link.onerror = () => reject(new Error(`Fetching ${sheet}`));
    link.rel = "stylesheet";
    link.href = sheet;
    document.head.append(link);
  });
}
