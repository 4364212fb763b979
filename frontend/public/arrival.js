// Requested ahead of the style sheet: a fresh page skips the layout of what is far below (lib/revealParts.ts). Not a page
// that is reloaded or returned to, and only where the browser holds in place what is being read (overflow-anchor).
if (
  performance.getEntriesByType("navigation")[0]?.type === "navigate" &&
  CSS.supports("overflow-anchor: auto")
) {
  document.documentElement.dataset.fresh = "";
}
