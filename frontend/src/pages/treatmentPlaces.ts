/** Where the treatments have pages of their own. Apart from their words, for the route table. */
import { priced } from "#content/treatments";

/** A treatment on the pages below `root`: "" for the home page's, "/dental-implants" for those of a landing page. */
export interface TreatmentPlace {
  /** As in content/treatments.yaml. */
  id: string;
  /** The price list of these pages. */
  list: string;
  root: string;
}

/** The treatments that a price list has a price for: these have a page. */
export const treatmentsIn = (list: string): readonly string[] => priced[list] ?? [];

export const treatmentPath = (root: string, id: string): string => `${root}/treatments/${id}`;

/** The home page's section of prices, or that of a landing page. */
export const allTreatments = (root: string): string => (root === "" ? "/pricing" : `${root}/prices`);
