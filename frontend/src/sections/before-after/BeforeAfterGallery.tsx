import { Band } from "@/components/Band";
import { Carousel } from "@/sections/carousel/Carousel";
import { type Case, CaseCard } from "./CaseCard";

export type BeforeAfterWords = Content<"cases.yaml">["words"];

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
