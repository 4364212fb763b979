/** What a treatment's page is made of: its card with the price of its list, its own words, and the list's other cards. */
import { pages } from "#content/treatments.yaml?pages";
import { treatmentCards } from "@/content/sections";
import type { TreatmentPlace } from "./treatmentPlaces";

export function treatmentContent({ id, list }: TreatmentPlace, samples: boolean) {
  const { cards, ...prices } = treatmentCards(list, samples);
  const [treatment, page] = [cards.find((card) => card.id === id), pages[id]];
  if (!treatment || !page) {
    throw new Error(`There is no page of "${id}" with the prices "${list}".`);
  }
  return { ...prices, cards, treatment, page };
}
