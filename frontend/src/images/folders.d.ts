/** A folder of src/images/, or one picture of it, as scripts/pictures/plugin.ts gives them. */
declare module "pictures:*" {
  type PictureFile = import("@/components/Picture").PictureFile;
  /** Of "pictures:FOLDER". */
  export const pictures: Readonly<Record<string, PictureFile>>;
  /** Of "pictures:FOLDER/NAME". */
  export const picture: PictureFile;
}
