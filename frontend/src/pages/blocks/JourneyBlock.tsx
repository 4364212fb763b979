import { journeyWords } from "@/content/care";
import { Journey } from "@/sections/Journey";

export function JourneyBlock() {
  return <Journey words={journeyWords} />;
}
