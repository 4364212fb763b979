/**
 * A change of page waits for the new page's code and shows the former page meanwhile; where the code does not come, the
 * server has the whole page.
 */
const PATIENCE_MS = 4000;

/** The page of this path and query is on the screen. */
export function noteShownPage(address: string): void {
  document.documentElement.dataset.page = address;
}

const isShown = (address: string) => document.documentElement.dataset.page === address;
const opened = () => window.location.pathname + window.location.search;

/**
 * Keeps presses of links to a place on the page from the router, and Back from them: they are the browser's own. Told of one,
 * React would draw each part that is not hydrated yet anew: an empty page meanwhile, and what was typed is gone. To be called
 * before the router listens.
 */
export function keepPlacesFromRouter(): void {
  noteShownPage(opened());
  const onMove = (event: PopStateEvent) => {
    const [pathname] = (document.documentElement.dataset.page ?? "").split("?");
    // A press makes an entry without a state; by then a tag may have cleaned the address of what the router knows.
    if (isShown(opened()) || (event.state === null && pathname === window.location.pathname)) {
      event.stopImmediatePropagation();
    }
  };
  window.addEventListener("popstate", onMove, { capture: true });
}

/** Opens the address as a document unless its page is shown soon. To be called after a change of page. */
export function openUnlessShown(address: string): void {
  setTimeout(() => {
    if (!isShown(address) && opened() === address) {
      window.location.replace(address);
    }
  }, PATIENCE_MS);
}
