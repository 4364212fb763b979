import { Children, createContext, type ReactNode, Suspense, use, useState } from "react";
import styles from "./HydrateLater.module.css";
import { KeepPainted } from "./KeepPainted";

/** Whether the page is the one that the visitor's browser loaded, and not one reached by navigation within the site. */
export const Arriving = createContext(true);

/**
 * A part of a pre-rendered page that React hydrates after what is outside, once its code is there; at once when it is
 * clicked or focused. If that fails, the part stays as it was painted. On a page reached by navigation there is no
 * boundary: the former page stays until the new one is complete, so that its height and its sections are right from the
 * start.
 */
export function HydrateLater({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const [bounded] = useState(use(Arriving));
  return bounded ? (
    <KeepPainted className={className}>
      <Suspense>{children}</Suspense>
    </KeepPainted>
  ) : (
    <div className={className}>{children}</div>
  );
}

/** Parts of a page below the first screen: hydrated one after the other, in slices of a few milliseconds. */
export function SelectiveHydration({ children }: { children: ReactNode }) {
  return Children.map(children, (part) => <HydrateLater className={styles.part}>{part}</HydrateLater>);
}
