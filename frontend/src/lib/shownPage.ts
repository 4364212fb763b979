/**
 * A change of page waits for the new page's code and shows the former page meanwhile; where the code does not come, the
 * server has the whole page.
 */
const PATIENCE_MS = 4000;

/** The page of this path is on the screen. */
export function noteShownPage(pathname: string): void {
  document.documentElement.dataset.page = pathname;
}

/** Opens the address as a document unless its page is shown soon. To be called after a change of page. */
export function openUnlessShown(address: string): void {
  setTimeout(() => {
    const [pathname] = address.split("?");
    if (document.documentElement.dataset.page !== pathname && window.location.pathname === pathname) {
      window.location.replace(address);
    }
  }, PATIENCE_MS);
}
