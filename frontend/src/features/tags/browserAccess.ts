/**
 * What tags may see and touch of the browser: the address without what a visitor may have typed, their own cookies,
 * and the loading of their scripts.
 */
import type { Purpose } from "@/lib/consent";
import { logFailure } from "@/lib/log";

/** The only parameters that tags may see: those that an advertisement's click added. */
const KEPT = /^(utm_(source|medium|campaign|id)|gclid|gbraid|wbraid|dclid|gad_source|gad_campaignid|fbclid)$/;
/** Matches ids and names, but no e-mail address and no sentence. */
const PLAIN = /^[\w.~-]{1,255}$/;
const ANCHOR = /^#[a-z][a-z-]*$/;

/** `url` with its path, the allowed parameters, and a plain anchor. */
export function cleanAddress(url: string): string {
  const address = new URL(url);
  const kept = [...address.searchParams].filter(([name, value]) => KEPT.test(name) && PLAIN.test(value));
  const search = new URLSearchParams(kept).toString();
  const hash = ANCHOR.test(address.hash) ? address.hash : "";
  return address.origin + address.pathname + (search && `?${search}`) + hash;
}

/** The site of the page before, without its path; "" without one. */
export function cleanReferrer(referrer: string): string {
  return URL.canParse(referrer) ? `${new URL(referrer).origin}/` : "";
}

/** Cleans the address bar, for scripts that read it themselves. */
export function cleanAddressBar(): void {
  const clean = cleanAddress(window.location.href);
  if (clean !== window.location.href) {
    window.history.replaceState(window.history.state, "", clean);
  }
}

/** The cookies that tags set on our own domain. */
const COOKIES: Record<Purpose, RegExp> = {
  analytics: /^_ga(_|$)/,
  advertising: /^(_gcl_|_gac_|_fb[pc]$)/,
};

/** Removes a purpose's cookies from this host and the domains above it. */
export function dropCookies(purpose: Purpose): void {
  const labels = window.location.hostname.split(".");
  const domains = labels.map((_, index) => `; domain=${labels.slice(index).join(".")}`);
  for (const cookie of document.cookie.split("; ")) {
    const name = cookie.split("=", 1)[0] ?? "";
    if (COOKIES[purpose].test(name)) {
      for (const domain of ["", ...domains]) {
        // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers.
        document.cookie = `${name}=; path=/; max-age=0${domain}`;
      }
    }
  }
}

/** Loads a tag's script. Calls queue up meanwhile, and stay queued if it never loads. */
export function loadScript(url: string): void {
  const script = document.createElement("script");
  script.async = true;
  script.src = url;
  script.addEventListener("error", () => logFailure("Loading a tag", url));
  document.head.append(script);
}
