import { createContext, type ReactNode, Suspense, use, useState } from "react";

/** Whether the page is the one that the visitor's browser loaded, and not one that was come to from another. */
export const Arriving = createContext(true);

/**
 * A part of a pre-rendered page that React hydrates after what is outside, once its code is there; at once when it is
 * clicked or focused. On a page that was come to from another there is no boundary: the former page stays until the new
 * one is complete, so that its height and its sections are right from the start.
 */
export function HydrateLater({ children }: { children: ReactNode }) {
  const [bounded] = useState(use(Arriving));
  return bounded ? <Suspense>{children}</Suspense> : children;
}
