import { createContext, useContext } from "react";

export interface ToastWords {
  title: string;
  description: string;
  tone: "calm" | "destructive";
}

export interface Toaster {
  show: (toast: ToastWords) => void;
  /** Brings the toasts' code, so that the first one appears at once. */
  prepare: () => void;
}

export const ToastContext = createContext<Toaster>({ show: () => {}, prepare: () => {} });

/** Shows one toast at a time; a new one takes the place of the old. */
export function useToaster(): Toaster {
  return useContext(ToastContext);
}
