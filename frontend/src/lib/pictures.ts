/** The pictures that content names, by file name without width and ending. A name without a file fails the build. */
import { pictures as cases } from "pictures:cases";
import { pictures as rooms } from "pictures:clinic";
import { pictures as dentists } from "pictures:dentists";
import { pictures as treatments } from "pictures:treatments";
import { pictures as uprightPosters } from "pictures:upright";
import { pictures as posters } from "pictures:videos";

/** One picture's files: AVIF in several widths, and WebP in the last but one; or one drawing. */
export interface PictureFile {
  /** Address of the files without `-WIDTH.FORMAT`; of a drawing as it is. */
  base: string;
  /** Of the widest file, in pixels. */
  width: number;
  height: number;
  /** Ascending; none of a drawing. */
  widths: readonly number[];
  /** Shown until the picture has loaded. */
  colour: string;
}

type Folder = Readonly<Record<string, PictureFile>>;

const DRAWN: Record<string, string> = import.meta.glob("/images/drawings/*.svg", {
  eager: true,
  query: "?url",
  import: "default",
});

function find(folder: Folder, name: string): PictureFile {
  const file = folder[name];
  if (!file) {
    throw new Error(`There is no picture "${name}" in images/. There are: ${Object.keys(folder).join(", ")}`);
  }
  return file;
}

export const treatmentPicture = (name: string): PictureFile => find(treatments, name);
export const roomPicture = (name: string): PictureFile => find(rooms, name);
export const dentistPicture = (name: string): PictureFile => find(dentists, name);

/** A case's photograph, else its drawing. */
export function casePicture(name: string): PictureFile {
  const base = DRAWN[`/images/drawings/${name}.svg`];
  const drawn = base && { base, width: 900, height: 600, widths: [], colour: "#fbfaf7" };
  return (cases as Folder)[name] ?? (drawn || find(cases, name));
}

/** The picture that a film shows until it is pressed. */
export const filmPoster = (name: string): PictureFile => find(posters, name);

/** The poster of a film's upright cut, if there is one. */
export const uprightPoster = (name: string): PictureFile | undefined => (uprightPosters as Folder)[name];
