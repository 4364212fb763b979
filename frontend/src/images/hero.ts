/** The picture of the home page's first screen: apart from the others, which come later than it. */
import { pictures } from "pictures:hero";
import type { PictureFile } from "@/components/Picture";

export const heroFile = pictures.hero as PictureFile;
