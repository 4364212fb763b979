/**
 * Fetches a part of the app a second time, under another address, when the first fetch failed: browsers remember a module
 * that they could not fetch. This is the build's business, because only it knows the parts' addresses.
 */
import type { Plugin } from "vite";

const IMPORT = /\bimport\((["'`])(\.{1,2}\/[^"'`]+\.js)\1\)/g;
const MINIFIED_IMPORT = (quote: string, path: string) =>
  `import(${quote}${path}${quote}).catch(()=>import(${quote}${path}?again${quote}))`;

export const withSecondTry = (code: string): string =>
  code.replace(IMPORT, (_, quote: string, path: string) => MINIFIED_IMPORT(quote, path));

export function fetchAgain(): Plugin {
  return {
    name: "fetch-again",
    apply: "build",
    renderChunk: (code) => ({ code: withSecondTry(code), map: null }),
  };
}
