/** Title and description of each page, for the pre-rendered head and for changes of page. */
import { heads } from "#content/heads.yaml";

export { heads };

export type PageName = keyof typeof heads;
