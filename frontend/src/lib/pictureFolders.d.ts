/** A folder of images/, or one picture of it, as scripts/pictures/plugin.ts provides them. */
declare module "pictures:*" {
  type PictureFile = import("./pictures").PictureFile;
  /** Of "pictures:FOLDER". */
  export const pictures: Readonly<Record<string, PictureFile>>;
  /** Of "pictures:FOLDER/NAME": one picture for the first load, without the rest of its folder. */
  export const picture: PictureFile;
}
