import { cases, results } from "@/content/results";
import { casePicture } from "@/lib/pictures";
import { useSamples } from "@/lib/settings";
import { BeforeAfterGallery } from "@/sections/before-after/BeforeAfterGallery";

const CASES = cases.map(
  ({ id, patientName, location, treatment, rating, before, after, consent, sample }) => ({
    id,
    patientName,
    location,
    treatment,
    rating,
    sample,
    illustration: consent === null,
    before: casePicture(before),
    after: casePicture(after),
  }),
);

export function Results() {
  const samples = useSamples();
  const shown = CASES.filter(({ sample }) => samples || !sample);
  return shown.length > 0 && <BeforeAfterGallery id="before-after-gallery" words={results} cases={shown} />;
}
