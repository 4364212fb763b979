import * as Tooltip from "@radix-ui/react-tooltip";
import type { ReactNode } from "react";
import styles from "./Tip.module.css";

/** Radix's own defaults, written out: 700 ms before the first, and 300 ms within which the next opens at once. */
const DELAY_MS = 700;
const SKIP_MS = 300;

/** Tips that belong together. */
export function TipGroup({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Provider delayDuration={DELAY_MS} skipDelayDuration={SKIP_MS}>
      {children}
    </Tooltip.Provider>
  );
}

interface Props {
  /** More about what is shown; never the only place of something needed. */
  text: string;
  className?: string | undefined;
  children: ReactNode;
}

export function Tip({ text, className, children }: Props) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger type="button" className={`${styles.trigger} ${className ?? ""}`}>
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className={styles.tip} sideOffset={6} collisionPadding={12}>
          {text}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
