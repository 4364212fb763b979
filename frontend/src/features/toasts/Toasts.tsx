import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { ToastContext, type ToastWords } from "./ToastContext";

const loadViewport = () =>
  import("./ToastViewport").then(({ ToastViewport }) => ({ default: ToastViewport }));
const ToastViewport = lazy(loadViewport);

/** Holds the one visible toast above all pages, so that it outlives a change of page. */
export function Toasts({ children }: { children: ReactNode }) {
  const [wanted, setWanted] = useState(false);
  const [shown, setShown] = useState<{ number: number; toast: ToastWords } | null>(null);
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
        <Suspense fallback={null}>
          <ToastViewport shown={shown} />
        </Suspense>
      )}
    </ToastContext>
  );
}
