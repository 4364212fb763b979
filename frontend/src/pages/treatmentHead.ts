/** Title and description of a treatment's page. Apart from the other pages' heads: they need the treatments' content. */
import { money } from "@/lib/money";
import { treatmentContent } from "./treatmentContent";
import type { TreatmentPlace } from "./treatmentPlaces";

export interface Head {
  title: string;
  description: string;
}

export function treatmentHead(place: TreatmentPlace): Head {
  const { page, treatment, currency } = treatmentContent(place, false);
  const price = money(treatment.price, currency);
  return { title: page.title, description: page.description.replaceAll("{price}", price) };
}
