/**
 * Takes the router's development names off its components. Naming one counts as a use of it, so that every page would
 * carry forms, navigation links and scroll keeping that nothing here asks for.
 */
import type { Plugin } from "vite";

const ROUTER = /\/react-router\/dist\/.*\.mjs$/;
const NAMING = /^\w+\.displayName = "\w+";$/gm;
const WRAPPING = /= (React\d*\.(?:forwardRef|memo|createContext)\()/g;

export const unnamed = (code: string): string =>
  code.replace(NAMING, "").replace(WRAPPING, "= /* @__PURE__ */ $1");

export function unnamedRouter(): Plugin {
  return {
    name: "unnamed-router",
    apply: "build",
    transform: {
      filter: { id: ROUTER },
      handler: (code) => ({ code: unnamed(code), map: null }),
    },
  };
}
