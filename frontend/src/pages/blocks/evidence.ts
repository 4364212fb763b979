/** The blocks that show rather than tell: films, rooms, results and implant brands, each fetched when it is near. */
import { late } from "@/components/late";

export const Voices = late("voices", () => import("./Voices").then((module) => module.Voices));
export const Showcase = late("showcase", () => import("./Showcase").then((module) => module.Showcase));
export const Results = late("results", () => import("./Results").then((module) => module.Results));
export const Implants = late("implants", () => import("./Implants").then((module) => module.Implants));
