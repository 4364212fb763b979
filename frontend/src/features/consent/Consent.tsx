import type { Purpose } from "@/lib/consent";
import { ConsentBanner } from "./ConsentBanner";
import { useConsent } from "./useConsent";
import type { ConsentWords } from "./words";

interface Props {
  words: ConsentWords;
  purposes: readonly Purpose[];
}

/** The question about cookies, while it waits for an answer. */
export function Consent({ words, purposes }: Props) {
  const { asking, answer, close } = useConsent(words.version, purposes);
  return (
    asking !== "no" && (
      <ConsentBanner
        key={asking}
        words={words}
        purposes={purposes}
        again={asking === "again"}
        onAnswer={answer}
        onClose={close}
      />
    )
  );
}
