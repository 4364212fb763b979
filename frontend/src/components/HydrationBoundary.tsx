import { Children, createContext, type ReactNode, Suspense, use, useState } from "react";
import styles from "./HydrationBoundary.module.css";
import { StaticFallbackBoundary } from "./StaticFallbackBoundary";

/** Whether the browser loaded this page as a document. False after a change of page within the app. */
export const IsInitialPage = createContext(true);

/**
 * React hydrates this part of a pre-rendered page after the rest of the page, once the part's code is there, and at once
 * when it is clicked or focused. If that fails, the part stays as it was painted. After a change of page within the app
 * there is no boundary: the former page stays until the new one is complete, so that the new one has its full height from
 * the start.
 */
export function HydrationBoundary({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const [bounded] = useState(use(IsInitialPage));
  return bounded ? (
    <StaticFallbackBoundary className={className}>
      <Suspense>{children}</Suspense>
    </StaticFallbackBoundary>
  ) : (
    <div className={className}>{children}</div>
  );
}

/** The sections below the first screen: React hydrates one after the other. */
export function BelowTheFold({ children }: { children: ReactNode }) {
  return Children.map(children, (part) => <HydrationBoundary className={styles.part}>{part}</HydrationBoundary>);
}
