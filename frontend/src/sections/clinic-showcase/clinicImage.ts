import type { PictureFile } from "@/components/Picture";

/** A picture of the gallery. */
export interface ClinicImage {
  id: string;
  alt: string;
  caption: string;
  file: PictureFile;
}
