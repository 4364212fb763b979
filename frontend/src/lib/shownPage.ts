/**
 * A change of page waits for the new page's code and shows the former page meanwhile. Where the code does not come, the
 * browser loads the page from the server.
 */
const PATIENCE_MS = 4000;

/** The page of this path and query is on the screen. */
export function noteShownPage(address: string): void {
  document.documentElement.dataset.page = address;
}

const isShown = (address: string) => document.documentElement.dataset.page === address;
const opened = () => window.location.pathname + window.location.search;

/** Whether the page of the address bar is on the screen already: as painted, before the app shows another one. */
export const isOpenedShown = () => isShown(opened());

/**
 * Leaves links to a place on the page, and Back from them, to the browser. The router would re-render, and React would
 * draw anew each part that is not hydrated yet: the page would be empty meanwhile, and what was typed gone. Call it before
 * the router listens.
 */
export function ignoreHashNavigation(): void {
  noteShownPage(opened());
  const onMove = (event: PopStateEvent) => {
    const [pathname] = (document.documentElement.dataset.page ?? "").split("?");
    // Such a press makes an entry without a state. A tag may have cleaned the address meanwhile.
    if (isShown(opened()) || (event.state === null && pathname === window.location.pathname)) {
      event.stopImmediatePropagation();
    }
  };
  window.addEventListener("popstate", onMove, { capture: true });
}

/** Loads the address from the server unless its page is shown within four seconds. Call it after a change of page. */
export function reloadIfNavigationStalls(address: string): void {
  setTimeout(() => {
    if (!isShown(address) && opened() === address) {
      window.location.replace(address);
    }
  }, PATIENCE_MS);
}
