import { useEffect, useRef, useState } from "react";
import { forgetAttribution, persistAttribution } from "@/lib/attribution";
import {
  answers,
  type Consent as ConsentAnswer,
  type ConsentChoice,
  currentConsent,
  giveConsent,
  onConsent,
  type Purpose,
} from "@/lib/consent";
import { onAskAgain } from "@/lib/consentNeed";
import { ConsentBanner, type ConsentWords } from "./ConsentBanner";

type Asking = "no" | "first" | "again";

/** When the banner is shown, and what its answer does. Focus moves only when the visitor reopened it. */
function useConsent(version: string, purposes: readonly Purpose[]) {
  const [asking, setAsking] = useState<Asking>(() =>
    answers(currentConsent(), version, purposes, new Date()) ? "no" : "first",
  );
  const opener = useRef<Element | null>(null);

  useEffect(() => {
    const stopAsking = onAskAgain(() => {
      opener.current = document.activeElement;
      setAsking("again");
    });
    // It was answered in another tab.
    const stopAnswering = onConsent(() => setAsking("no"));
    return () => {
      stopAsking();
      stopAnswering();
    };
  }, []);

  function close(): void {
    setAsking("no");
    if (opener.current instanceof HTMLElement) {
      opener.current.focus();
    }
    opener.current = null;
  }

  function answer(choice: ConsentChoice): void {
    giveConsent({ version, choice, at: new Date().toISOString() });
    close();
  }

  return { asking, answer, close };
}

/** The cookie banner, until it is answered. */
export function Consent({ words, purposes }: { words: ConsentWords; purposes: readonly Purpose[] }) {
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

function applyChoice({ choice }: ConsentAnswer): void {
  if (choice.advertising !== undefined) {
    choice.advertising ? persistAttribution() : forgetAttribution();
  }
}

/** Stores the campaign that brought the visitor in the browser, or removes it, as they choose about advertising. */
export function keepCampaign(consent: ConsentAnswer | null): void {
  if (consent) {
    applyChoice(consent);
  }
  onConsent(applyChoice);
}
