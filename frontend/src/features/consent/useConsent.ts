import { useEffect, useRef, useState } from "react";
import {
  answers,
  type ConsentChoice,
  currentConsent,
  giveConsent,
  onConsent,
  type Purpose,
} from "@/lib/consent";
import { onAskAgain } from "@/lib/consentNeed";

type Asking = "no" | "first" | "again";

/** When the question shows, and what its answer does. Focus goes along only when the visitor asked for it. */
export function useConsent(version: string, purposes: readonly Purpose[]) {
  const [asking, setAsking] = useState<Asking>(() =>
    answers(currentConsent(), version, purposes, new Date()) ? "no" : "first",
  );
  const opener = useRef<Element | null>(null);

  useEffect(() => {
    onAskAgain(() => {
      opener.current = document.activeElement;
      setAsking("again");
    });
    // Answered in another tab.
    const stop = onConsent(() => setAsking("no"));
    return () => {
      onAskAgain(null);
      stop();
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
