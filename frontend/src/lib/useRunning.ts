import { useEffect, useState } from "react";
import { clinicDay, isRunning, type Period } from "./offers";

/** Today at the clinic. Null while pre-rendering and hydrating: a page is read on a later day than it was built. */
function useToday(): string | null {
  const [today, setToday] = useState<string | null>(null);
  useEffect(() => {
    // In a task of its own: the first use of Intl takes milliseconds.
    const timer = setTimeout(() => setToday(clinicDay(new Date())));
    return () => clearTimeout(timer);
  }, []);
  return today;
}

/** Those that run today. All of them are pre-rendered, and filtered by date after hydration. */
export function useRunning<Dated extends Period>(all: readonly Dated[]) {
  const today = useToday();
  return { today, running: all.filter((one) => today === null || isRunning(one, today)) };
}
