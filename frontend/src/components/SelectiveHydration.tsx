import { Children, type ReactNode, Suspense } from "react";
import { revealSoon } from "@/lib/revealParts";
import styles from "./SelectiveHydration.module.css";

/**
 * Parts of a page below the first screen, each in a Suspense boundary. React hydrates what is outside the boundaries
 * first and the parts after it, in slices of a few milliseconds; a part that is clicked or focused is hydrated at once.
 */
export function SelectiveHydration({ children }: { children: ReactNode }) {
  return Children.map(children, (part) => (
    <div className={styles.part} ref={revealSoon}>
      <Suspense>{part}</Suspense>
    </div>
  ));
}
