/**
 * Lets pages import a folder of images/ as "pictures:clinic", or one picture as "pictures:hero/hero": proportions,
 * colour and address. Only the common part of the addresses of a picture's files gets into the bundle.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "vite";

export const IMAGES = join(import.meta.dirname, "../../images");
export const MANIFEST = join(IMAGES, "manifest.json");
export const FORMATS = ["avif", "webp"] as const;

export interface Shape {
  /** Sides in pixels of the widest file. */
  width: number;
  height: number;
  /** Ascending. */
  widths: number[];
}

/** By folder. `colours` has one entry for each picture: the colour shown, near enough, until the picture has loaded. */
export type Manifest = Record<string, Shape & { colours: Record<string, string> }>;

/** How the names of a picture's files end. */
export const filesOf = ({ widths }: Shape): string[] =>
  FORMATS.flatMap((format) => widths.map((width) => `-${width}.${format}`));

const PREFIX = "pictures:";

/** Those that pages name: of WebP, for browsers that know no AVIF, one width (src/components/Picture.tsx). */
const shownOf = (shape: Shape) =>
  filesOf(shape).filter((end) => end.endsWith(".avif") || end.startsWith(`-${shape.widths.at(-2)}.`));

/** The files under content-hashed names, and the common part of these names. */
async function assetsOf(folder: string, name: string, shape: Shape) {
  const files = await Promise.all(
    shownOf(shape).map(async (ending) => ({
      ending,
      source: await readFile(join(IMAGES, folder, `${name}${ending}`)),
    })),
  );
  const hash = createHash("sha256");
  for (const { source } of files) {
    hash.update(source);
  }
  const base = `assets/${name}-${hash.digest("base64url").slice(0, 8)}`;
  return { base, assets: files.map(({ ending, source }) => ({ fileName: `${base}${ending}`, source })) };
}

async function shapeOf(folder: string): Promise<Manifest[string]> {
  const manifest: Manifest = JSON.parse(await readFile(MANIFEST, "utf8"));
  const shape = manifest[folder];
  if (!shape) {
    throw new Error(`images/manifest.json has no folder "${folder}".`);
  }
  return shape;
}

/** The module of a folder (its shape once, then name, address and colour of each picture), or of a single picture. */
function moduleOf(shape: Shape, entries: readonly (readonly string[])[], single: boolean): string {
  if (single) {
    const [, base, colour] = entries[0] ?? [];
    return `export const picture = ${JSON.stringify({ ...shape, base, colour })};`;
  }
  return `const shape = ${JSON.stringify(shape)};
const entry = ([name, base, colour]) => [name, { ...shape, base, colour }];
export const pictures = Object.fromEntries(${JSON.stringify(entries)}.map(entry));`;
}

export function pictureFolders(): Plugin {
  let building = false;
  return {
    name: "picture-folders",
    enforce: "pre",
    configResolved: ({ command }) => {
      building = command === "build";
    },
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    async load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) {
        return null;
      }
      const [folder = "", only] = id.slice(PREFIX.length + 1).split("/");
      const { colours, ...shape } = await shapeOf(folder);
      this.addWatchFile(MANIFEST);
      const entries: string[][] = [];
      for (const [name, colour] of Object.entries(colours).filter(([name]) => name === (only ?? name))) {
        const source = `images/${folder}/${name}`;
        const { base, assets } = building ? await assetsOf(folder, name, shape) : { base: source, assets: [] };
        // The pre-rendering build uses the same addresses; only the client build writes the files.
        for (const asset of this.environment.config.consumer === "client" ? assets : []) {
          this.emitFile({ type: "asset", ...asset });
        }
        entries.push([name, `/${base}`, colour.replace(/#(.).(.).(.)./, "#$1$2$3")]);
      }
      if (only !== undefined && entries.length === 0) {
        throw new Error(`images/manifest.json has no picture "${only}" in its folder "${folder}".`);
      }
      return { code: moduleOf(shape, entries, only !== undefined), map: null };
    },
  };
}
