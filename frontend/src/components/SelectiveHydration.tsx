import { Children, type ReactNode } from "react";
import { HydrateLater } from "./HydrateLater";
import styles from "./SelectiveHydration.module.css";

/** Parts of a page below the first screen: hydrated one after the other, in slices of a few milliseconds. */
export function SelectiveHydration({ children }: { children: ReactNode }) {
  return Children.map(children, (part) => <HydrateLater className={styles.part}>{part}</HydrateLater>);
}
