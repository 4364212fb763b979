import { useRef, useState } from "react";
import { logFailure } from "@/lib/log";
import { type ChosenCountry, DEFAULT_COUNTRY } from "./fields";
import type { LoadedForm } from "./useEngine";

/** The selected country: guessed once when the form's chunk arrives, and never changed again after the visitor chose. */
export function useCountryChoice(geoUrl: string) {
  const [country, setCountry] = useState<ChosenCountry>(DEFAULT_COUNTRY);
  const current = useRef(country);
  const chosen = useRef(false);

  function apply({ engine }: LoadedForm, next: ChosenCountry): void {
    current.current = next;
    setCountry(next);
    engine.setCountryCode(next.id);
  }

  function guess(loaded: LoadedForm): void {
    loaded.engine.setCountryCode(current.current.id);
    loaded.chunk
      .guessCountry(geoUrl, navigator.languages)
      .then((guessed) => {
        if (!chosen.current) {
          apply(loaded, guessed);
        }
      })
      .catch((cause: unknown) => logFailure("Guessing the country", cause));
  }

  function choose(loaded: LoadedForm, next: ChosenCountry): void {
    chosen.current = true;
    apply(loaded, next);
  }

  return { country, guess, choose, currentIso: () => current.current.iso };
}
