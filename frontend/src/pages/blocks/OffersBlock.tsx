import { type OfferPlace, offerWords } from "@/content/offers";
import { useSamples } from "@/lib/settings";
import { Offers } from "@/sections/Offers";

export function OffersBlock({ place }: { place: OfferPlace }) {
  const tone = place === "special-offers" ? "mint" : "paper";
  return <Offers id={place} words={offerWords(place, useSamples())} tone={tone} />;
}
