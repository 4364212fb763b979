/** Addresses as tags may see them: no parameter but what an advertisement's own click added. */
const KEPT = /^(utm_(source|medium|campaign|id)|gclid|gbraid|wbraid|dclid|gad_source|gad_campaignid|fbclid)$/;
/** Ids and names, not what could be an e-mail address or a sentence. */
const PLAIN = /^[\w.~-]{1,255}$/;
const ANCHOR = /^#[a-z][a-z-]*$/;

/** `url` with its path, the parameters that are kept, and a plain anchor. */
export function cleanAddress(url: string): string {
  const address = new URL(url);
  const kept = [...address.searchParams].filter(([name, value]) => KEPT.test(name) && PLAIN.test(value));
  const search = new URLSearchParams(kept).toString();
  const hash = ANCHOR.test(address.hash) ? address.hash : "";
  return address.origin + address.pathname + (search && `?${search}`) + hash;
}

/** The page before: only its site, unless it is none. */
export function cleanReferrer(referrer: string): string {
  return URL.canParse(referrer) ? `${new URL(referrer).origin}/` : "";
}

/** For scripts that read the address bar themselves. */
export function cleanAddressBar(): void {
  const clean = cleanAddress(window.location.href);
  if (clean !== window.location.href) {
    window.history.replaceState(window.history.state, "", clean);
  }
}
