import { Band, type BandWords } from "@/components/Band";
import { Carousel, type CarouselWords } from "@/sections/carousel/Carousel";
import { type Case, CaseCard, type CaseWords } from "./CaseCard";

export interface BeforeAfterWords extends BandWords, CaseWords, CarouselWords {}

interface Props {
  id: string;
  words: BeforeAfterWords;
  cases: readonly Case[];
}

export function BeforeAfterGallery({ id, words, cases }: Props) {
  const slides = cases.map((shown) => ({
    id: shown.id,
    name: shown.treatment,
    content: <CaseCard words={words} shown={shown} />,
  }));
  return (
    <Band id={id} words={words} tone="mint" sample={cases.some(({ sample }) => sample)}>
      <Carousel words={words} slides={slides} />
    </Band>
  );
}
