import type { PictureFile } from "@/lib/pictures";

/** A picture of the gallery. */
export interface ClinicImage {
  id: string;
  alt: string;
  caption: string;
  file: PictureFile;
}
