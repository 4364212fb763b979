import { type PriceList, treatmentCards, treatmentWords } from "@/content/treatments";
import { treatmentPicture } from "@/lib/pictures";
import { Treatments } from "@/sections/Treatments";

export function TreatmentsBlock({ list }: { list: PriceList }) {
  return <Treatments words={treatmentWords} picture={treatmentPicture} {...treatmentCards(list)} />;
}
