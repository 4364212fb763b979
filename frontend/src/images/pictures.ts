/** The pictures that content names, by file name without its ending. A name without a file stops the build. */
import type { PictureFile } from "@/components/Picture";

type Urls = Record<string, string>;

const ROOMS: Urls = import.meta.glob("./clinic/*", { eager: true, query: "?url", import: "default" });
const CASES: Urls = import.meta.glob("./cases/*", { eager: true, query: "?url", import: "default" });

const POSTERS: Urls = import.meta.glob("./videos/*.{webp,svg}", {
  eager: true,
  query: "?url",
  import: "default",
});

function found(urls: Urls, name: string): string {
  const path = Object.keys(urls).find((file) => file.split("/").at(-1)?.split(".")[0] === name);
  const url = path && urls[path];
  if (!url) {
    throw new Error(
      `There is no picture "${name}" in src/images. There are: ${Object.keys(urls).join(", ")}`,
    );
  }
  return url;
}

export function roomPicture(name: string): PictureFile {
  return { src: found(ROOMS, name), width: 1200, height: 800, colour: "#EFEADF" };
}

export function casePicture(name: string): PictureFile {
  return { src: found(CASES, name), width: 600, height: 400, colour: "#24485C" };
}

/** What stands in a film's place until it is pressed. */
export function filmPoster(name: string): PictureFile {
  return { src: found(POSTERS, name), width: 1280, height: 720, colour: "#E3F1EF" };
}
