/** The path and query of the last page that was asked for, by whomever. */
let page = "";

const address = () => window.location.pathname + window.location.search;

/**
 * Leaves presses of links to a place on the page to the browser, and Back from them. The router would take each for a
 * navigation, and React throws away what is painted and typed in each part that gets an update before it is hydrated.
 * To be called once, before the router listens.
 */
export function keepFragmentsFromRouter(): void {
  page = address();
  for (const change of ["pushState", "replaceState"] as const) {
    const native = window.history[change].bind(window.history);
    window.history[change] = (...entry) => {
      native(...entry);
      page = address();
    };
  }
  const onMove = (event: PopStateEvent) => {
    const before = page;
    page = address();
    if (page === before) {
      event.stopImmediatePropagation();
    }
  };
  window.addEventListener("popstate", onMove, { capture: true });
}
