/** Title and description of each page, for the pre-rendered head and for changes of page. */
import { heads } from "#content/heads.yaml";
import type { Landing } from "#content/landing";
import { type Head, treatmentHead } from "./treatmentHead";
import type { TreatmentPlace } from "./treatmentPlaces";

/** A page with content of its own kind, a landing page, or the page of a treatment. */
export type Page =
  | { page: keyof typeof heads }
  | { page: "landing"; landing: Landing }
  | { page: "treatment"; treatment: TreatmentPlace };
export type PageName = Page["page"];

export function headOf(shown: Page): Head {
  if (shown.page === "landing") {
    return shown.landing.head;
  }
  if (shown.page === "treatment") {
    return treatmentHead(shown.treatment);
  }
  return heads[shown.page];
}
