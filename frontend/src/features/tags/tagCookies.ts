/** The cookies that tags set on our own domain. */
import type { Purpose } from "@/lib/consent";

const NAMES: Record<Purpose, RegExp> = {
  analytics: /^_ga(_|$)/,
  advertising: /^(_gcl_|_gac_|_fb[pc]$)/,
};

/** Removes a purpose's cookies from this host and the domains above it. */
export function dropCookies(purpose: Purpose): void {
  const labels = window.location.hostname.split(".");
  const domains = labels.map((_, index) => `; domain=${labels.slice(index).join(".")}`);
  for (const cookie of document.cookie.split("; ")) {
    const name = cookie.split("=", 1)[0] ?? "";
    if (NAMES[purpose].test(name)) {
      for (const domain of ["", ...domains]) {
        // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers.
        document.cookie = `${name}=; path=/; max-age=0${domain}`;
      }
    }
  }
}
