/** The treatments' pictures by the names that content uses. Renders or photographs take these drawings' places here. */
import allOn4 from "./treatments/all-on-4.svg";
import allOn6 from "./treatments/all-on-6.svg";
import dentalImplants from "./treatments/dental-implants.svg";
import fullMouth from "./treatments/full-mouth-implants.svg";
import zirconiaCrowns from "./treatments/zirconia-crowns.svg";
import zygomatic from "./treatments/zygomatic-implants.svg";

export const treatmentPictures: Readonly<Record<string, string>> = {
  "dental-implants": dentalImplants,
  "zirconia-crowns": zirconiaCrowns,
  "zygomatic-implants": zygomatic,
  "all-on-4": allOn4,
  "all-on-6": allOn6,
  "full-mouth-implants": fullMouth,
};
