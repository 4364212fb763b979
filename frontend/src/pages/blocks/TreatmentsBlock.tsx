import { type PriceList, treatmentCards, treatmentWords } from "@/content/treatments";
import { treatmentPictures } from "@/images/treatments";
import { Treatments } from "@/sections/Treatments";

export function TreatmentsBlock({ list }: { list: PriceList }) {
  return <Treatments words={treatmentWords} pictures={treatmentPictures} {...treatmentCards(list)} />;
}
