// Asked for ahead of the style sheet: may what is far below be laid out later (lib/layOut.ts)? Not if we open further down.
{
  const page = document.documentElement;
  const [arrival] = performance.getEntriesByType("navigation");
  // The browser itself must hold in place what is being read.
  if (arrival?.type === "navigate" && !location.hash && CSS.supports("overflow-anchor: auto")) {
    page.dataset.fresh = "";
    // A link to a place of the page works before the page's own script.
    for (const touch of ["click", "keydown"]) {
      addEventListener(touch, () => delete page.dataset.fresh, { capture: true, once: true });
    }
  }
}
