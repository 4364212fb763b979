import type { PriceList } from "@/content/treatments";
import { turkeyWords } from "@/content/turkey";
import { useSamples } from "@/lib/settings";
import { WhyTurkey } from "@/sections/WhyTurkey";

export function TurkeyBlock({ list, source }: { list: PriceList; source: string }) {
  return <WhyTurkey words={turkeyWords(list, useSamples())} source={source} />;
}
