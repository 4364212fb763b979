import { type OfferPlace, offerWords } from "@/content/offers";
import { useSamples } from "@/lib/useSamples";
import { Offers } from "@/sections/Offers";

export function OffersBlock({ place }: { place: OfferPlace }) {
  return <Offers id={place} words={offerWords(place, useSamples())} tone="mint" />;
}
