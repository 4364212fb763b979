/** A folder of src/images/, as scripts/pictures/plugin.ts gives it. */
declare module "pictures:*" {
  export const pictures: Readonly<Record<string, import("@/components/Picture").PictureFile>>;
}
