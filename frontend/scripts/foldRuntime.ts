/**
 * Puts the bundler's few helper functions into the app's file, which every file that needs them imports anyway: as a file
 * of their own they would be one more that a phone can miss.
 */
import type { Plugin } from "vite";

const EXPORTS = /export\{([^}]+)\};?\s*$/;

/** The helpers' code with their exports under names that nothing else has, and those names by the exported ones. */
export function helpersOf(code: string): { code: string; names: Map<string, string> } {
  const [end, list] = EXPORTS.exec(code) ?? [];
  if (!end || !list) {
    throw new Error("The bundler's helpers do not end with their exports");
  }
  const pairs = list.split(",").map((pair) => pair.split(" as ") as [local: string, exported: string]);
  const names = new Map(pairs.map(([, exported]) => [exported, `helper_${exported}`]));
  const returned = pairs.map(([local, exported]) => `${names.get(exported)}:${local}`).join(",");
  const all = [...names.values()].join(",");
  const body = code.slice(0, code.length - end.length);
  return { code: `const{${all}}=(()=>{${body};return{${returned}}})();`, names };
}

export function foldRuntime(): Plugin {
  return {
    name: "fold-runtime",
    apply: "build",
    generateBundle: {
      order: "pre",
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const runtime = chunks.find(({ name }) => name === "rolldown-runtime");
        const app = chunks.find(({ name }) => name === "app");
        if (!runtime || !app) {
          return;
        }
        const helpers = helpersOf(runtime.code);
        const base = (file: string) => file.split("/").at(-1);
        const importing = new RegExp(`import\\{([^}]+)\\}from(["'\`])\\./${base(runtime.fileName)}\\2;`);
        for (const chunk of chunks.filter(({ imports }) => imports.includes(runtime.fileName))) {
          chunk.code = chunk.code.replace(importing, (_, list: string, quote: string) => {
            const wanted = list.split(",").map((pair) => pair.split(" as ") as [string, string]);
            return chunk === app
              ? `const ${wanted.map(([name, local]) => `${local}=${helpers.names.get(name)}`).join(",")};`
              : `import{${wanted.map(([name, local]) => `${helpers.names.get(name)} as ${local}`).join(",")}}from${quote}./${base(app.fileName)}${quote};`;
          });
          chunk.imports = chunk.imports.filter((file) => file !== runtime.fileName);
        }
        app.code = `${helpers.code}${app.code}export{${[...helpers.names.values()].join(",")}};`;
        delete bundle[runtime.fileName];
      },
    },
  };
}
