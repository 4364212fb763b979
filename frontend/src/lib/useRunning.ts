import { useEffect, useState } from "react";
import { clinicDay, isRunning, type Period } from "./offers";

/** Those that run today at the clinic. All are pre-rendered, and filtered after hydration: `today` is null until then. */
export function useRunning<Dated extends Period>(all: readonly Dated[]) {
  const [today, setToday] = useState<string | null>(null);
  useEffect(() => {
    // In a task of its own: the first use of Intl takes milliseconds.
    const timer = setTimeout(() => setToday(clinicDay(new Date())));
    return () => clearTimeout(timer);
  }, []);
  return { today, running: all.filter((one) => today === null || isRunning(one, today)) };
}
