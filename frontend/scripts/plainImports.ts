/**
 * Imports parts of the app as they are. Vite's own helper around every import() also fetches the part's style sheets and
 * modules first: parts have none of their own here, and the helper would be an eighth of a page's first script.
 */
import type { Plugin } from "vite";

const HELPER = "\0vite/preload-helper.js";

export function plainImports(): Plugin {
  return {
    name: "plain-imports",
    apply: "build",
    enforce: "pre",
    load: (id) => (id === HELPER ? "export const __vitePreload = (load) => load();" : null),
    generateBundle(_options, bundle) {
      const styled = Object.values(bundle).filter(({ fileName }) => fileName.endsWith(".css"));
      if (styled.length > 1) {
        throw new Error(
          `A part has a style sheet of its own (${styled.at(-1)?.fileName}): nothing would fetch it`,
        );
      }
    },
  };
}
