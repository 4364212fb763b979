import { createContext, type ReactNode, Suspense, useContext, useLayoutEffect, useMemo, useState } from "react";
import { lazyNamed } from "./lazyNamed";
import { StaticFallbackBoundary } from "./StaticFallbackBoundary";

export interface ToastWords {
  title: string;
  description: string;
  tone: "calm" | "destructive";
}

interface Toaster {
  show: (toast: ToastWords) => void;
  /** Loads the toasts' code, so that the first one appears at once. */
  prepare: () => void;
}

const ToastContext = createContext<Toaster>({ show: () => {}, prepare: () => {} });

/** Shows one toast at a time; a new one replaces the old. */
export function useToaster(): Toaster {
  return useContext(ToastContext);
}

/** A toast repeats what the page says elsewhere: without its code there is none. */
const ToastViewport = lazyNamed(() => import("./ToastViewport"), "ToastViewport");

interface Props {
  /** The page's path. */
  page: string;
  children: ReactNode;
}

/** Holds the one visible toast. It belongs to its page, and goes with it. */
export function Toasts({ page, children }: Props) {
  const [wanted, setWanted] = useState(false);
  const [shown, setShown] = useState<{ number: number; toast: ToastWords } | null>(null);
  // Before the next page is painted, and before it can show its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is what ends it.
  useLayoutEffect(() => {
    return () => setShown(null);
  }, [page]);
  const toaster = useMemo(
    () => ({
      prepare: () => setWanted(true),
      show: (toast: ToastWords) => {
        setWanted(true);
        setShown((before) => ({ number: (before?.number ?? 0) + 1, toast }));
      },
    }),
    [],
  );
  return (
    <ToastContext value={toaster}>
      {children}
      {wanted && (
        <StaticFallbackBoundary>
          <Suspense fallback={null}>
            <ToastViewport shown={shown} />
          </Suspense>
        </StaticFallbackBoundary>
      )}
    </ToastContext>
  );
}
