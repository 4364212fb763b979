/** The pictures that content names, by file name without width and ending. A name without a file stops the build. */
import { pictures as cases } from "pictures:cases";
import { pictures as rooms } from "pictures:clinic";
import { pictures as treatments } from "pictures:treatments";
import { pictures as posters } from "pictures:videos";

/** One picture's files: AVIF and WebP in three widths. */
export interface PictureFile {
  /** Address of the files without `-WIDTH.FORMAT`. */
  base: string;
  /** Of the widest file, in pixels. */
  width: number;
  height: number;
  widths: readonly [number, number, number];
  /** Shown until the picture is there. */
  colour: string;
}

type Folder = Readonly<Record<string, PictureFile>>;

function found(folder: Folder, name: string): PictureFile {
  const file = folder[name];
  if (!file) {
    throw new Error(`There is no picture "${name}" in images/. There are: ${Object.keys(folder).join(", ")}`);
  }
  return file;
}

export const treatmentPicture = (name: string): PictureFile => found(treatments, name);
export const roomPicture = (name: string): PictureFile => found(rooms, name);
export const casePicture = (name: string): PictureFile => found(cases, name);

/** What stands in a film's place until it is pressed. */
export const filmPoster = (name: string): PictureFile => found(posters, name);
