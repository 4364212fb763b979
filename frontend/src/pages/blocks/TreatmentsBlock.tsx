import { type PriceList, treatmentCards, treatmentWords } from "@/content/treatments";
import { treatmentPicture } from "@/images/pictures";
import { Treatments } from "@/sections/Treatments";

export function TreatmentsBlock({ list }: { list: PriceList }) {
  return <Treatments words={treatmentWords} picture={treatmentPicture} {...treatmentCards(list)} />;
}
