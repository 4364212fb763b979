/**
 * Removes the assignments of `displayName` from the router's components. An assignment counts as a use, so without this
 * every page would carry forms, navigation links and scroll restoration that nothing imports.
 */
import type { Plugin } from "vite";

const ROUTER = /\/react-router\/dist\/.*\.mjs$/;
const NAMING = /^\w+\.displayName = "\w+";$/gm;
const WRAPPING = /= (React\d*\.(?:forwardRef|memo|createContext)\()/g;

export const stripDisplayNames = (code: string): string =>
  code.replace(NAMING, "").replace(WRAPPING, "= /* @__PURE__ */ $1");

export function routerWithoutDisplayNames(): Plugin {
  return {
    name: "strip-display-names",
    apply: "build",
    transform: {
      filter: { id: ROUTER },
      handler: (code) => ({ code: stripDisplayNames(code), map: null }),
    },
  };
}
