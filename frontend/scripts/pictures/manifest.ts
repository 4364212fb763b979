/** The format of images/manifest.json, which `make pictures` writes together with the files that it lists. */
import { join } from "node:path";

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

/** By folder. `colours` has one entry for each picture: the colour shown until the picture has loaded. */
export type Manifest = Record<string, Shape & { colours: Record<string, string> }>;

/** How the names of a picture's files end. */
export const filesOf = ({ widths }: Shape): string[] =>
  FORMATS.flatMap((format) => widths.map((width) => `-${width}.${format}`));
